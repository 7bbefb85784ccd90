"""The prompt's contract, declining and refusals, structured answers, and the providers' own citations."""
