"""Fits the ranker to the tables that rankerTable.ts wrote.

python3 fit_ranker.py --out ranker.json [--pairs 0.1] [--without-asked] TABLE_FOLDER [...] [--parity FOLDER]

Boosted regression of a candidate's IoU: the mean of models that each see other scenes and other features. With --pairs the
loss also asks that of two candidates of a point the better has the higher score.
"""

import argparse
import json
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from boosted_trees import boosted, predicted

SEEDS = (0, 1, 2, 3, 4)
SCENES_SHARE = 0.8
FEATURES_SHARE = 0.8
PARITY_CASES = 40
# rankerTable.ts numbers the points of a scene from its seed times this on.
POINTS_PER_SCENE = 100
ASKED_FEATURES = 3
ASKED_SOURCE = 1
# Of two candidates whose IoU differs by less, neither is the better.
LEAST_DIFFERENCE = 0.05
# How sharply a pair's loss falls with the difference of the scores.
SHARPNESS = 10.0
BEST_OF_POINT = 3


@dataclass
class Table:
    """Candidates of synthetic scenes, a row each."""

    names: list
    x: np.ndarray
    iou: np.ndarray
    hectares: np.ndarray
    points: np.ndarray

    @classmethod
    def of(cls, folders, without_asked):
        parts = [read_table(folder) for folder in folders]
        names, rows = parts[0][0], np.vstack([part for _, part in parts])
        if without_asked:
            names, rows = names[:-ASKED_FEATURES], rows[rows[:, -1] != ASKED_SOURCE]
        return cls(names, rows[:, : len(names)], rows[:, -4], rows[:, -3], rows[:, -2])

    @property
    def scenes(self):
        return self.points // POINTS_PER_SCENE

    def part(self, chosen):
        return Table(self.names, self.x[chosen], self.iou[chosen], self.hectares[chosen], self.points[chosen])


def read_table(folder):
    description = json.loads((Path(folder) / "table.json").read_text())
    columns = len(description["features"]) + 4
    rows = np.fromfile(Path(folder) / "table.bin", "<f8")
    return description["features"], rows[: len(rows) // columns * columns].reshape(-1, columns)


def weight_of(hectares):
    """Large fields count more, for a scene holds few of them; points outside fields count like a field of 2 ha."""
    return np.where(hectares > 0, np.clip((np.maximum(hectares, 1e-3) / 2) ** 0.7, 0.5, 6.0), 1.0)


def pairs_of(table):
    """Rows of the better and of the worse of pairs at one point (its best candidates with all others), and their weights.

    All candidates of a point hold the point: one is mostly a part of the other.
    """
    order = np.argsort(table.points, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(table.points[order]) > 0, True])
    better, worse, weights = [], [], []
    for first, after in zip(starts[:-1], starts[1:]):
        rows = order[first:after]
        rows = rows[np.argsort(-table.iou[rows], kind="stable")]
        for rank, row in enumerate(rows[:BEST_OF_POINT]):
            others = rows[rank + 1 :]
            others = others[table.iou[row] - table.iou[others] > LEAST_DIFFERENCE]
            better.append(np.full(len(others), row))
            worse.append(others)
            # A point's pairs weigh together as much as its rows.
            weights.append(np.full(len(others), len(rows) / max(1, len(others)) / BEST_OF_POINT))
    better, worse, weights = (np.concatenate(parts) for parts in (better, worse, weights))
    return better, worse, weights * weight_of(table.hectares[better]) * (table.iou[better] - table.iou[worse])


class Loss:
    """Gradient and hessian of the squared error of the IoU and, weighed by pairs, of the logistic loss of pairs."""

    def __init__(self, table, pairs):
        self.iou, self.weights, self.share = table.iou, weight_of(table.hectares), pairs
        self.pairs = pairs_of(table) if pairs else None

    def __call__(self, scores):
        gradient, hessian = self.weights * (self.iou - scores), self.weights.copy()
        if self.pairs:
            better, worse, weights = self.pairs
            wrong = 1 / (1 + np.exp(SHARPNESS * (scores[better] - scores[worse])))
            pull = self.share * SHARPNESS * weights * wrong
            bend = self.share * SHARPNESS**2 * weights * wrong * (1 - wrong)
            rows = len(scores)
            gradient += np.bincount(better, pull, rows) - np.bincount(worse, pull, rows)
            hessian += np.bincount(better, bend, rows) + np.bincount(worse, bend, rows)
        return gradient, hessian


class Model:
    """Trees that were fitted to a random part of the scenes and see a random part of the features."""

    def __init__(self, table, seed, pairs):
        rng = np.random.default_rng(seed)
        self.columns = np.sort(drawn(np.arange(table.x.shape[1]), FEATURES_SHARE, rng))
        part = table.part(np.isin(table.scenes, drawn(np.unique(table.scenes), SCENES_SHARE, rng)))
        self.baseline = float(np.average(part.iou, weights=weight_of(part.hectares)))
        self.trees = boosted(part.x[:, self.columns], Loss(part, pairs), self.baseline)

    def predict(self, x):
        return predicted(self.trees, self.baseline, x[:, self.columns])

    def numbers(self):
        columns = [int(column) for column in self.columns]
        named = lambda tree: [-1 if feature < 0 else columns[feature] for feature in tree["feature"]]
        return {"baseline": self.baseline, "trees": [{**tree, "feature": named(tree)} for tree in self.trees]}


def drawn(values, share, rng):
    return rng.choice(values, round(share * len(values)), replace=False)


def fitted(arguments):
    return Model(*arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--pairs", type=float, default=0.0, help="weight of the pairs")
    parser.add_argument("--without-asked", action="store_true", help="as if there were no mask network")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--parity", type=Path, help="folder for ranker-cases.json")
    arguments = parser.parse_args()
    table = Table.of(arguments.tables, arguments.without_asked)
    print(f"{len(table.iou)} candidates of {len(np.unique(table.points))} points in {len(np.unique(table.scenes))} scenes", flush=True)
    with Pool(arguments.jobs) as pool:
        models = pool.map(fitted, [(table, seed, arguments.pairs) for seed in SEEDS])
    Path(arguments.out).write_text(json.dumps({"features": table.names, "models": [model.numbers() for model in models]}))
    if arguments.parity:
        cases = table.x[:: max(1, len(table.x) // PARITY_CASES)][:PARITY_CASES]
        scores = np.mean([model.predict(cases) for model in models], axis=0)
        answers = {"names": table.names, "features": cases.tolist(), "scores": scores.tolist()}
        (arguments.parity / "ranker-cases.json").write_text(json.dumps(answers, separators=(",", ":")))


if __name__ == "__main__":
    main()
