"""What the budget lets in: what a candidate is worth, where it may be cut, and how the room is filled."""
