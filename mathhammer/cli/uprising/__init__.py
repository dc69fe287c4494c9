"""Commands of Uprising."""

ASKED_WITH = "mathhammer battle, recruit or quest"
