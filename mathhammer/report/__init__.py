"""The report of one army list, or of two against each other: one HTML file that needs nothing else."""

from mathhammer.report.page import make_report

__all__ = ["make_report"]
