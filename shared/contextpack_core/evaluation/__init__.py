"""Measures packs and checks on labelled cases."""
