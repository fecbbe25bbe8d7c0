"""Data in files, `.npy`, `.npz`, `.json`, `.csv`, `.parquet`, `.arrow`, `.txt` and `.png`, read and written by them.

Nothing pickled is ever loaded, no file makes a program take more memory than its data needs, and what is wrong is told
with its place in the file.  What a format has no numbers for is written as text in the notation of the language, and
read back where a number is declared.
"""

from tolang.data.formats import EXTENSIONS, format_of
from tolang.data.reading import argument, read, read_all, read_data
from tolang.data.writing import refuse_output, write, write_results

__all__ = [
    "EXTENSIONS", "argument", "format_of", "read", "read_all", "read_data", "refuse_output", "write",
    "write_results",
]  # fmt: skip
