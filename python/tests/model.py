"""A module of the project, whose values a script sets."""

import random

CONFIG = {"p": 0.1}
LIMIT = 0.1


def hit(seed):
    return random.Random(seed).random() < CONFIG["p"]


def below_limit(seed):
    return random.Random(seed).random() < LIMIT
