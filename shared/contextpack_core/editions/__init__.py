"""Which texts are editions of one document, in which order, and where passages contradict each other."""
