"""Simulations for the tests: functions of a module, as users write them."""

import random
from fractions import Fraction


def throw(seed, sides=6, count=2):
    dice = random.Random(seed)
    return {"sum": sum(dice.randint(1, sides) for _ in range(count)), "lucky": dice.random() < 0.25}


def queue(arrivals, service, load):
    arrive, serve = random.Random(arrivals), random.Random(service)
    wait = 0.0
    for _ in range(20):
        wait = max(0.0, wait + serve.expovariate(1.0) - arrive.expovariate(load))
    return wait, wait > 1


def low_bits(arrivals, service, cell):
    return arrivals % 2**40, service % 2**40


def talkative(seed):
    print("between the answers")
    return random.Random(seed).random()


def share(seed):
    return Fraction(random.Random(seed).randint(0, 5), 7)


def text(seed):
    return "seven"


def not_a_number(seed):
    return float("nan")


def incomplete(seed):
    return {"sum": 7}


def triple(seed):
    return 1, 2, 3


def failing(seed):
    raise KeyError("no such card")
