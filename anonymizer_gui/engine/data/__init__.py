"""What data can look like: values, readers and writers, with nothing about privacy."""
