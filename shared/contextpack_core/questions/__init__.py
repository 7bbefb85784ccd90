"""What a question says about itself: its class, its parts, the day it asks about, the searches it needs."""
