"""Trains and compares the learned prior. Start with README.md beside this package."""

FPS = 30
