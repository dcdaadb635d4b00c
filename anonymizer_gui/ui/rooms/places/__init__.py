"""The room of places in the window: pages, help, tour."""
