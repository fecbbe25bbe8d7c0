"""ToLang: a language of tensors of lists, its checker, its cost model and its engines."""

__version__ = "0.1.0"
