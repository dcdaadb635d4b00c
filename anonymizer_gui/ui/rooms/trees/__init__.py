"""The pages of the room of trees."""
