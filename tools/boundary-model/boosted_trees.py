"""Gradient-boosted regression trees on numpy alone, for losses that know which rows belong together.

Trees grow best first (Friedman 2001; histograms and Newton's leaf values as in LightGBM, Ke et al. 2017).
"""

from dataclasses import dataclass, field

import numpy as np

BINS = 255
TREES = 200
LEAVES = 12
RATE = 0.05
LEAST_ROWS = 60
L2 = 3.0


class Binned:
    """Every column in at most 255 bins: bin b holds the values above limit b - 1 and at most limit b."""

    def __init__(self, x):
        self.limits = [limits_of(column) for column in x.T]
        bins = [np.searchsorted(limits, column) for limits, column in zip(self.limits, x.T)]
        # Each column has its own range of numbers, so that one count fills the histograms of all.
        self.codes = np.stack(bins, 1).astype(np.int32) + (BINS + 1) * np.arange(x.shape[1], dtype=np.int32)
        self.columns = x.shape[1]

    def histogram(self, rows, values):
        """(columns, bins): the sum of the rows' values in every bin."""
        repeated = np.repeat(values[rows], self.columns)
        sums = np.bincount(self.codes[rows].ravel(), repeated, self.columns * (BINS + 1))
        return sums.reshape(self.columns, BINS + 1)


def limits_of(column):
    values = np.unique(column)
    if len(values) > BINS:
        values = np.unique(np.quantile(values if len(values) < 4 * BINS else column, np.linspace(0, 1, BINS + 1)))
    return (values[1:] + values[:-1]) / 2


@dataclass(eq=False)
class Leaf:
    """Rows that no split has parted yet, with the sums of their bins and the best split of them."""

    node: int
    rows: np.ndarray
    sums: tuple
    gain: float = field(init=False)
    column: int = field(init=False)
    bin: int = field(init=False)
    value: float = field(init=False)

    def __post_init__(self):
        gradient, hessian, count = (np.cumsum(part, 1) for part in self.sums)
        totals = [part[:, -1:] for part in (gradient, hessian, count)]
        left = gradient**2 / (hessian + L2)
        right = (totals[0] - gradient) ** 2 / (totals[1] - hessian + L2)
        gains = left + right - totals[0] ** 2 / (totals[1] + L2)
        gains[(count < LEAST_ROWS) | (totals[2] - count < LEAST_ROWS)] = 0
        best = int(np.argmax(gains))
        self.column, self.bin = divmod(best, gains.shape[1])
        self.gain = gains.flat[best]
        self.value = RATE * totals[0][0, 0] / (totals[1][0, 0] + L2)


def grown(binned, gradient, hessian):
    """One tree that follows the gradient, and what it adds to every row."""
    ones = np.ones(len(gradient))
    sums_of = lambda rows: tuple(binned.histogram(rows, values) for values in (gradient, hessian, ones))
    every = np.arange(len(gradient))
    tree = {"feature": [-1], "threshold": [0.0], "left": [0], "right": [0], "value": [0.0]}
    leaves = [Leaf(0, every, sums_of(every))]
    while len(leaves) < LEAVES:
        leaf = max(leaves, key=lambda one: one.gain)
        if leaf.gain <= 0:
            break
        goes_left = binned.codes[leaf.rows, leaf.column] - leaf.column * (BINS + 1) <= leaf.bin
        parts = leaf.rows[goes_left], leaf.rows[~goes_left]
        small = 0 if len(parts[0]) < len(parts[1]) else 1
        sums = sums_of(parts[small])
        rest = tuple(whole - part for whole, part in zip(leaf.sums, sums))
        children = [(parts[small], sums), (parts[1 - small], rest)]
        leaves.remove(leaf)
        first = len(tree["feature"])
        for key, empty in (("feature", -1), ("threshold", 0.0), ("left", 0), ("right", 0), ("value", 0.0)):
            tree[key] += [empty, empty]
        tree["feature"][leaf.node] = leaf.column
        tree["threshold"][leaf.node] = float(binned.limits[leaf.column][leaf.bin])
        tree["left"][leaf.node], tree["right"][leaf.node] = first, first + 1
        for side, (rows, own) in zip((small, 1 - small), children):
            leaves.append(Leaf(first + side, rows, own))
    added = np.zeros(len(gradient))
    for leaf in leaves:
        tree["value"][leaf.node] = leaf.value
        added[leaf.rows] = leaf.value
    return tree, added


def boosted(x, loss, baseline):
    """The trees, each fitted to the gradient and hessian that loss(scores) gives at the sum of those before it."""
    binned, scores, trees = Binned(x), np.full(len(x), baseline), []
    for _ in range(TREES):
        tree, added = grown(binned, *loss(scores))
        trees.append(tree)
        scores += added
    return trees


def predicted(trees, baseline, x):
    """What the trees say of rows."""
    scores = np.full(len(x), float(baseline))
    for tree in trees:
        feature, threshold = np.array(tree["feature"]), np.array(tree["threshold"])
        left, right, value = np.array(tree["left"]), np.array(tree["right"]), np.array(tree["value"])
        node = np.zeros(len(x), int)
        for _ in range(LEAVES):
            column = feature[node]
            is_left = x[np.arange(len(x)), column] <= threshold[node]
            node = np.where(column < 0, node, np.where(is_left, left[node], right[node]))
        scores += value[node]
    return scores
