"""Every figure in a text, and whether an answer's figures stand in the evidence."""

from contextpack_core.citations.figures.find import find_figures
from contextpack_core.citations.figures.verdicts import check_figures

__all__ = ["check_figures", "find_figures"]
