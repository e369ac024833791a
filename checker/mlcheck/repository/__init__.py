"""The results repository: all rounds in one store, and the questions people ask of it."""
