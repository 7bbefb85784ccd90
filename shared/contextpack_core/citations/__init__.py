"""From an answer to a report: marks, quotes, figures, claims, support."""
