"""Native code of the runtime that is written in C, and made into LLVM IR here: `python -m native`."""
