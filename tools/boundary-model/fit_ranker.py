"""Fits the ranker to the table that rankerTable.ts wrote; needs python3-sklearn.

python3 fit_ranker.py --out ranker.json TABLE_FOLDER [TABLE_FOLDER ...] [--parity ../../tests/fixtures/boundary]

Gradient-boosted regression of a candidate's IoU: three models that differ by their random seed.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

SEEDS = (0, 1, 2)
SETTINGS = {
    "max_iter": 200,
    "max_leaf_nodes": 12,
    "learning_rate": 0.05,
    "min_samples_leaf": 60,
    "l2_regularization": 3.0,
}
PARITY_CASES = 40


def read_table(folder):
    description = json.loads((Path(folder) / "table.json").read_text())
    columns = len(description["features"]) + 3
    rows = np.fromfile(Path(folder) / "table.bin", "<f8")
    return description["features"], rows[: len(rows) // columns * columns].reshape(-1, columns)


def weight_of(hectares):
    """Large fields count more, for a scene holds few of them; points outside fields count like a field of 2 ha."""
    return np.where(hectares > 0, np.clip((np.maximum(hectares, 1e-3) / 2) ** 0.7, 0.5, 6.0), 1.0)


def tree_of(predictor):
    nodes = predictor.nodes
    leaf = nodes["is_leaf"].astype(bool)
    return {
        "feature": [-1 if is_leaf else int(k) for is_leaf, k in zip(leaf, nodes["feature_idx"])],
        "threshold": [0.0 if is_leaf else float(t) for is_leaf, t in zip(leaf, nodes["num_threshold"])],
        "left": [0 if is_leaf else int(k) for is_leaf, k in zip(leaf, nodes["left"])],
        "right": [0 if is_leaf else int(k) for is_leaf, k in zip(leaf, nodes["right"])],
        "value": [float(v) if is_leaf else 0.0 for is_leaf, v in zip(leaf, nodes["value"])],
    }


def chosen_iou(scores, iou, points):
    """IoU of the best-scored candidate of each point."""
    order = np.lexsort((-scores, points))
    first = np.r_[True, np.diff(points[order]) > 0]
    return iou[order][first]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--parity", type=Path, help="folder for ranker-cases.json")
    arguments = parser.parse_args()
    parts, first_point = [], 0
    for folder in arguments.tables:
        names, rows = read_table(folder)
        rows[:, -1] += first_point
        first_point = rows[:, -1].max() + 1
        parts.append(rows)
    rows = np.vstack(parts)
    x, iou, hectares, points = rows[:, :-3], rows[:, -3], rows[:, -2], rows[:, -1]
    weights = weight_of(hectares)
    held_out = points % 10 == 9
    trial = HistGradientBoostingRegressor(random_state=0, **SETTINGS)
    trial.fit(x[~held_out], iou[~held_out], weights[~held_out])
    asked = held_out & (hectares > 0)
    found = chosen_iou(trial.predict(x[asked]), iou[asked], points[asked])
    best = chosen_iou(iou[asked], iou[asked], points[asked])
    print(f"{len(rows)} candidates; held out {len(found)}: mean {found.mean():.3f} median {np.median(found):.3f}, best {best.mean():.3f}")
    models = [HistGradientBoostingRegressor(random_state=seed, **SETTINGS).fit(x, iou, weights) for seed in SEEDS]
    fitted = {
        "features": names,
        "models": [
            {
                "baseline": float(np.ravel(model._baseline_prediction)[0]),
                "trees": [tree_of(predictors[0]) for predictors in model._predictors],
            }
            for model in models
        ],
    }
    Path(arguments.out).write_text(json.dumps(fitted))
    if arguments.parity:
        cases = x[:: len(x) // PARITY_CASES][:PARITY_CASES]
        scores = np.mean([model.predict(cases) for model in models], axis=0)
        text = json.dumps({"names": names, "features": cases.tolist(), "scores": scores.tolist()}, separators=(",", ":"))
        (arguments.parity / "ranker-cases.json").write_text(text)


if __name__ == "__main__":
    main()
