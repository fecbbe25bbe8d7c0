"""What a program costs, read from its core: EOPs by function and definition, bytes, memory, span, and the derivation.

`reading.Reading` is the door.  `counting` has the rules; `names` says what the names in sizes stand for; `tally` is the
record that is added up; `memory` and `span` are two further readings; `derivation` and `terms` write the steps of the
paper's Example 14; `formula` shows sizes as users read them.
"""
