"""contextpack for LlamaIndex."""
