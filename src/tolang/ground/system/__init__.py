"""What the process and its machine give: memory, threads, folders."""
