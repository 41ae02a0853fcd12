"""Functions of every shape that people write; those in RIGHT draw `random.Random(seed).random() < 0.3`."""

import dataclasses
import datetime
import decimal
import enum
import functools
import itertools
import os
import random
import sys
import threading
import time
import uuid

import model
import numpy

LIMIT = 0.1
SETTINGS = {"limits": [0.1, 0.2]}
COUNT = 0
DRAWN = []
LOCK = threading.Lock()
TABLE = numpy.array([0.1, 0.2, 0.3])


class Sign(enum.Enum):
    BELOW = 1
    ABOVE = 2


class Model:
    limit = 0.1

    def __init__(self, limit=0.3):
        self.own = limit

    def method(self, seed):
        return random.Random(seed).random() < self.own

    def __call__(self, seed):
        return self.method(seed)

    @staticmethod
    def static(seed):
        return random.Random(seed).random() < 0.3

    @classmethod
    def of_class(cls, seed):
        return random.Random(seed).random() < cls.limit


class Child(Model):
    def method(self, seed):
        return super().method(seed)

    @property
    def bound(self):
        return self.own


@dataclasses.dataclass(frozen=True)
class Parameters:
    limit: float
    unit: str = "one"


def plain(seed):
    return random.Random(seed).random() < 0.3


def global_set_later(seed):
    return random.Random(seed).random() < LIMIT


def global_changed_inside(seed):
    return random.Random(seed).random() < SETTINGS["limits"][1]


def class_attribute(seed):
    return random.Random(seed).random() < Model.limit


def attribute_of_a_module(seed):
    return random.Random(seed).random() < model.LIMIT


def function_of_a_module(seed):
    return model.below_limit(seed)


def module_imported_inside(seed):
    import math as mathematics

    return random.Random(seed).random() < mathematics.sqrt(0.09)


def array_of_a_module(seed):
    return random.Random(seed).random() < TABLE[2]


def closure(limit):
    def inner(seed):
        return random.Random(seed).random() < limit

    return inner


def closure_over_an_array(limits):
    return lambda seed: bool(random.Random(seed).random() < limits.max())


def decorate(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@decorate
def decorated(seed):
    return plain(seed)


def recursive(seed, depth=3):
    return plain(seed) if depth == 0 else recursive(seed, depth - 1)


def generator_inside(seed):
    def draws():
        source = random.Random(seed)
        while True:
            yield source.random()

    return next(itertools.islice(draws(), 1)) < 0.3


@functools.cache
def limit_of(number):
    return number if number == 0.3 else limit_of(0.3)


def cached_helper(seed):
    return random.Random(seed).random() < limit_of(0.2)


@functools.lru_cache(maxsize=None)
def cached(seed):
    return random.Random(seed).random() < 0.3


def with_enum(seed):
    sign = Sign.BELOW if random.Random(seed).random() < 0.3 else Sign.ABOVE
    return sign is Sign.BELOW


def only_by_keyword(*, seed):
    return plain(seed)


def with_default(seed, limit=0.3):
    return random.Random(seed).random() < limit


def any_keywords(seed, **options):
    return random.Random(seed).random() < options["limit"]


def of_dataclass(seed, parameters):
    return random.Random(seed).random() < parameters.limit


def property_of_an_object(seed):
    return random.Random(seed).random() < Child().bound


def seeds_the_module(seed):
    random.seed(seed)
    return random.random() < 0.3


def comprehension(seed):
    return [draw < 0.3 for draw in [random.Random(seed).random()]][0]


def numpy_value(seed):
    return numpy.bool_(random.Random(seed).random() < 0.3)


def raises_and_catches(seed):
    try:
        raise KeyError(seed)
    except KeyError as error:
        return plain(error.args[0])


def environment_variable(seed):
    return random.Random(seed).random() < float(os.environ.get("SHAPES_LIMIT", "0.1"))


def argument(seed):
    return random.Random(seed).random() < float(sys.argv[-1])


def counted_but_not_used(seed):
    global COUNT
    COUNT += 1
    return plain(seed)


def file_in_the_folder(seed):
    with open("limit.txt", encoding="utf-8") as file:
        return random.Random(seed).random() < float(file.read())


def made_by_exec():
    space = {"random": random, "limit": 0.3}
    exec("def made(seed):\n    return random.Random(seed).random() < limit\n", space)
    return space["made"]


def exact_decimal(seed):
    return decimal.Decimal(repr(random.Random(seed).random())) < decimal.Decimal("0.3")


def right():
    """Each shape by its name, with the keywords of its call."""
    method = Child(0.3)
    return {
        "plain": (plain, {}),
        "lambda": (lambda seed: random.Random(seed).random() < 0.3, {}),
        "closure": (closure(0.3), {}),
        "closure over an array": (closure_over_an_array(TABLE), {}),
        "partial": (functools.partial(with_default, limit=0.3), {}),
        "partial of a partial": (functools.partial(functools.partial(of_dataclass), parameters=Parameters(0.3)), {}),
        "method": (method.method, {}),
        "callable object": (method, {}),
        "static method": (Model.static, {}),
        "class method": (Model.of_class, {}),
        "decorated": (decorated, {}),
        "recursive": (recursive, {}),
        "generator inside": (generator_inside, {}),
        "import inside": (module_imported_inside, {}),
        "helper with functools.cache": (cached_helper, {}),
        "functools.lru_cache": (cached, {}),
        "enum": (with_enum, {}),
        "keyword only": (only_by_keyword, {}),
        "default": (with_default, {}),
        "any keywords": (any_keywords, {"params": {"limit": 0.3}}),
        "dataclass parameter": (of_dataclass, {"params": {"parameters": Parameters(0.3)}}),
        "property": (property_of_an_object, {}),
        "module seeded": (seeds_the_module, {}),
        "comprehension": (comprehension, {}),
        "value of numpy": (numpy_value, {}),
        "exception caught": (raises_and_catches, {}),
        "global set later": (global_set_later, {}),
        "global changed inside": (global_changed_inside, {}),
        "class attribute": (class_attribute, {}),
        "attribute of a module": (attribute_of_a_module, {}),
        "function of a module": (function_of_a_module, {}),
        "function of a module, itself": (model.hit, {}),
        "array of a module": (array_of_a_module, {}),
        "environment variable": (environment_variable, {}),
        "argument of the script": (argument, {}),
        "global counted, not used": (counted_but_not_used, {}),
        "file in the folder": (file_in_the_folder, {}),
        "exec": (made_by_exec(), {}),
        "decimal": (exact_decimal, {}),
    }


def unseeded(seed):
    return random.random() < 0.3


def unseeded_numpy(seed):
    return numpy.random.random() < 0.3


def clock(seed):
    return time.perf_counter_ns() % 1000


def date(seed):
    return datetime.datetime.now().microsecond


def process(seed):
    return os.getpid()


def unique(seed):
    return uuid.uuid4().int % 1000


def address(seed):
    return id(object()) % 1_000_003 + os.getpid()


def counter(seed):
    global COUNT
    COUNT += 1
    return COUNT


def list_of_all(seed):
    DRAWN.append(seed)
    return len(DRAWN)


def locked(seed):
    with LOCK:
        return plain(seed)


def context(seed):
    return decimal.Decimal(1) / decimal.Decimal(3) == decimal.Decimal("0.333")


def library_setting(seed):
    return sys.getrecursionlimit()


def without_seed():
    return True


def forgotten(seed, p):
    return random.Random(seed).random() < p


def only_by_place(seed, /):
    return plain(seed)


def refused():
    """Each shape by its name, with what is said of it and the keywords of its call."""
    return {
        "random without a seed": (unseeded, "then|where it was called", {}),
        "numpy without a seed": (unseeded_numpy, "then|where it was called", {}),
        "wall clock": (clock, "then|where it was called", {"metrics": {"hit": int}}),
        "date": (date, "then|where it was called", {"metrics": {"hit": int}}),
        "number of the process": (process, "where it was called, and .* in a worker", {"metrics": {"hit": int}}),
        "uuid": (unique, "then|where it was called", {"metrics": {"hit": int}}),
        "address": (address, "then|where it was called", {"metrics": {"hit": int}}),
        "global that counts": (counter, "then|where it was called", {"metrics": {"hit": int}}),
        "list that grows": (list_of_all, "then|where it was called", {"metrics": {"hit": int}}),
        "lock": (locked, "locked .shapes.py, line .*uses `shapes.LOCK`, a lock, which cannot travel", {}),
        "generator kept": (closure(limit for limit in [0.3]), "uses `.*limit`, a generator, which cannot travel", {}),
        "setting of a library": (context, "`hit` is true where it was called, and false in a worker; usual", {}),
        "setting of the interpreter": (library_setting, "where it was called, and", {"metrics": {"hit": int}}),
        "no seed": (without_seed, "without_seed .shapes.py, line .* takes no seed", {}),
        "forgotten parameter": (forgotten, "forgotten .*: its parameter `p` has no value: give it in params", {}),
        "by place only": (only_by_place, "take the `/` away", {}),
        "built-in": (min, "min .*does not say which parameters|min .*takes no seed", {}),
        "no function": (7, "7 is not a function", {}),
        "wrong keyword": (plain, "plain .* has no parameter `limit`: it has seed", {"params": {"limit": 1}}),
        "swept objects": (of_dataclass, "the parameter `parameters` is", {"sweep": {"parameters": [Parameters(1)]}}),
    }
