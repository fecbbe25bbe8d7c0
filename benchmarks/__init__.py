"""Benchmarks: what ToLang computes, measured beside the libraries that can compute the same, in one run."""
