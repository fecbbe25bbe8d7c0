"""ToLang in notebooks: `%load_ext tolang`, then `%%tol` cells and `%tol` lines on the notebook's own variables."""
