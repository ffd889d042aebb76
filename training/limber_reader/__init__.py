"""Trains the prompt reader, which maps a sentence to motion script events and the words that express them."""
