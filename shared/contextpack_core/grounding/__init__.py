"""The prompt's contract, declining, and the providers' own citations."""
