"""Fits the ranker to the tables that rankerTable.ts wrote; needs python3-sklearn.

python3 fit_ranker.py --out ranker.json TABLE_FOLDER [TABLE_FOLDER ...] [--parity FOLDER]

Gradient-boosted regression of a candidate's IoU: the mean of models that each see other scenes and other features.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

SEEDS = (0, 1, 2, 3, 4)
SCENES_SHARE = 0.8
FEATURES_SHARE = 0.8
SETTINGS = {
    "early_stopping": False,
    "max_iter": 200,
    "max_leaf_nodes": 12,
    "learning_rate": 0.05,
    "min_samples_leaf": 60,
    "l2_regularization": 3.0,
}
PARITY_CASES = 40
HELD_OUT_SHARE = 0.1
# rankerTable.ts numbers the points of a scene from its seed times this on.
POINTS_PER_SCENE = 100


@dataclass
class Table:
    """Candidates of synthetic scenes, a row each."""

    names: list
    x: np.ndarray
    iou: np.ndarray
    hectares: np.ndarray
    points: np.ndarray

    @classmethod
    def of(cls, folders):
        parts = [read_table(folder) for folder in folders]
        rows = np.vstack([part for _, part in parts])
        return cls(parts[0][0], rows[:, :-3], rows[:, -3], rows[:, -2], rows[:, -1])

    @property
    def scenes(self):
        return self.points // POINTS_PER_SCENE

    def part(self, chosen):
        return Table(self.names, self.x[chosen], self.iou[chosen], self.hectares[chosen], self.points[chosen])


def read_table(folder):
    description = json.loads((Path(folder) / "table.json").read_text())
    columns = len(description["features"]) + 3
    rows = np.fromfile(Path(folder) / "table.bin", "<f8")
    return description["features"], rows[: len(rows) // columns * columns].reshape(-1, columns)


def weight_of(hectares):
    """Large fields count more, for a scene holds few of them; points outside fields count like a field of 2 ha."""
    return np.where(hectares > 0, np.clip((np.maximum(hectares, 1e-3) / 2) ** 0.7, 0.5, 6.0), 1.0)


class Model:
    """Trees that were fitted to a random part of the scenes and see a random part of the features."""

    def __init__(self, table, seed):
        rng = np.random.default_rng(seed)
        self.columns = np.sort(drawn(np.arange(table.x.shape[1]), FEATURES_SHARE, rng))
        seen = np.isin(table.scenes, drawn(np.unique(table.scenes), SCENES_SHARE, rng))
        part = table.part(seen)
        self.trees = HistGradientBoostingRegressor(random_state=seed, **SETTINGS)
        self.trees.fit(part.x[:, self.columns], part.iou, weight_of(part.hectares))

    def predict(self, x):
        return self.trees.predict(x[:, self.columns])

    def numbers(self):
        return {
            "baseline": float(np.ravel(self.trees._baseline_prediction)[0]),
            "trees": [tree_of(predictors[0], self.columns) for predictors in self.trees._predictors],
        }


def drawn(values, share, rng):
    return rng.choice(values, round(share * len(values)), replace=False)


def tree_of(predictor, columns):
    nodes = predictor.nodes
    leaf = nodes["is_leaf"].astype(bool)
    return {
        "feature": [-1 if is_leaf else int(columns[k]) for is_leaf, k in zip(leaf, nodes["feature_idx"])],
        "threshold": [0.0 if is_leaf else float(t) for is_leaf, t in zip(leaf, nodes["num_threshold"])],
        "left": [0 if is_leaf else int(k) for is_leaf, k in zip(leaf, nodes["left"])],
        "right": [0 if is_leaf else int(k) for is_leaf, k in zip(leaf, nodes["right"])],
        "value": [float(v) if is_leaf else 0.0 for is_leaf, v in zip(leaf, nodes["value"])],
    }


def mean_score(models, x):
    return np.mean([model.predict(x) for model in models], axis=0)


def chosen_iou(scores, iou, points):
    """IoU of the best-scored candidate of each point."""
    order = np.lexsort((-scores, points))
    first = np.r_[True, np.diff(points[order]) > 0]
    return iou[order][first]


def report(table):
    """What one model and the mean of all choose in scenes that they were not fitted to."""
    held_out = np.isin(table.scenes, drawn(np.unique(table.scenes), HELD_OUT_SHARE, np.random.default_rng(0)))
    models = [Model(table.part(~held_out), seed) for seed in SEEDS]
    asked = table.part(held_out & (table.hectares > 0))
    for name, scores in (("one", models[0].predict(asked.x)), ("mean", mean_score(models, asked.x)), ("best", asked.iou)):
        found = chosen_iou(scores, asked.iou, asked.points)
        print(f"held out, {name}: {len(found)} points, mean {found.mean():.3f} median {np.median(found):.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--parity", type=Path, help="folder for ranker-cases.json")
    arguments = parser.parse_args()
    table = Table.of(arguments.tables)
    print(f"{len(table.iou)} candidates of {len(np.unique(table.points))} points in {len(np.unique(table.scenes))} scenes", flush=True)
    report(table)
    models = [Model(table, seed) for seed in SEEDS]
    fitted = {"features": table.names, "models": [model.numbers() for model in models]}
    Path(arguments.out).write_text(json.dumps(fitted))
    if arguments.parity:
        cases = table.x[:: max(1, len(table.x) // PARITY_CASES)][:PARITY_CASES]
        answers = {"names": table.names, "features": cases.tolist(), "scores": mean_score(models, cases).tolist()}
        (arguments.parity / "ranker-cases.json").write_text(json.dumps(answers, separators=(",", ":")))


if __name__ == "__main__":
    main()
