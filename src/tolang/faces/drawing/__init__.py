"""Pictures of programs: ToLs as boxes, primitives between them, one picture for each level of definitions."""
