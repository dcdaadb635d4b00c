"""Tables: the value, its classes, types, profile and suggestions; reading and writing in io."""
