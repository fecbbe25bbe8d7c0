"""ToLang in editors: what is known of a text while it is typed, and a language server that tells it."""
