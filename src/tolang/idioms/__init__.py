"""What a step computes, recognised from its form and true on every machine."""
