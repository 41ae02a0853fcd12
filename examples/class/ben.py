"""Ben ends by an error at the third move."""
from player import play

play(lambda moves, number: moves[0] if number < 3 else moves[1_000])
