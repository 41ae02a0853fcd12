"""Emil draws at random, but not from the seed."""
import random

from player import play

play(lambda moves, number: random.SystemRandom().choice(moves))
