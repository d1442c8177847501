"""The pages: rendering, and the server that serves them."""
