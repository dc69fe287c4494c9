"""The page where one clicks: one function that answers, a small web application around it, and its files."""

from mathhammer.serve.answer import answer

__all__ = ["answer"]
