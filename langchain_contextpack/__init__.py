"""contextpack for LangChain."""
