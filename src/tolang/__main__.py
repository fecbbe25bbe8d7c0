"""`python -m tolang` is `tol`."""

from tolang.faces.command import main

if __name__ == "__main__":
    main()
