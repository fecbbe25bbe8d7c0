"""Passes that hold on every machine, by the names that `schedule.pipeline` gives them."""
