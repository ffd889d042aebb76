"""Trains the reader of prompts: sentences in, the motion script's events and the words they came from out."""
