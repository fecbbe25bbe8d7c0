"""ToLang inside other people's programs: operators of PyTorch and JAX."""
