"""Peers side by side: their drivers, and how they are timed."""
