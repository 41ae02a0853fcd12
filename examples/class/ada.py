"""Ada moves to a cell that is not on the board."""
from player import play

play(lambda moves, number: "a1-a9" if number == 3 else moves[0])
