"""Programs that compiled code does not take."""


class Refused(Exception):
    """A program that an engine cannot take; the message says why."""
