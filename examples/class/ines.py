"""Ines shouts."""
from player import play

play(lambda moves, number: moves[0].upper())
