"""Trains the boundary network on synthetic scenes only.

python3 train.py --scenes FOLDER [...] --out network.pt --steps 6000 [--start other.pt] [--learning-rate 0.003] [--seed 1]

Every FOLDER is one that trainingScenes.ts wrote. Goes on from OUT.state when that exists, so that a run can be interrupted.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from network import boundary_network, network_input

BATCH = 8
NO_NIR_SHARE = 0.4
CLOUDED_SHARE = 0.2
LEAST_CLEAR = 0.4
# The service stretches over windows of 256 pixels, which vary more than a cut does.
WIDE_STRETCH_SHARE = 0.5
BOUNDARY_WEIGHT = 2.0
FIELD_LOSS = 0.3
DICE_LOSS = 0.5
AVERAGE_DECAY = 0.995


class Scenes:
    """The scenes of some folders of one side: reflectance 0-1 and labels (bit 0 boundary, bit 1 field), and random cuts of them."""

    def __init__(self, folders, cut_side):
        self.cut_side = cut_side
        self.side = json.loads((Path(folders[0]) / "scenes.json").read_text())["side"]
        files = [np.memmap(Path(folder) / "scenes.bin", np.uint8, "r") for folder in folders]
        length = self.side**2 * 9
        self.records = [(file, k * length, (k + 1) * length) for file in files for k in range(len(file) // length)]

    def scene(self, rng):
        """Reflectance (4, side, side) and labels (side, side) of one scene."""
        file, start, end = self.records[rng.integers(len(self.records))]
        record = file[start:end]
        pixels = self.side**2
        bands = np.frombuffer(record[: 8 * pixels].tobytes(), "<u2").reshape(4, self.side, self.side)
        return bands.astype(np.float32) / 10_000, record[8 * pixels :].reshape(self.side, self.side)

    def part(self, rng):
        """Rows and columns of a random cut."""
        row, column = rng.integers(0, self.side - self.cut_side + 1, 2)
        return (slice(row, row + self.cut_side), slice(column, column + self.cut_side))


def cloud_free(rng, side):
    """(side, side) bool: everything, or everything but a few round holes."""
    clear = np.ones((side, side), bool)
    if rng.random() < CLOUDED_SHARE:
        y, x = np.mgrid[:side, :side]
        for _ in range(rng.integers(1, 5)):
            centre_y, centre_x, radius = rng.uniform(0, side), rng.uniform(0, side), rng.uniform(0.05, 0.3) * side
            clear &= (y - centre_y) ** 2 + (x - centre_x) ** 2 * rng.uniform(0.5, 2) > radius**2
    return clear


def turned(rng):
    """A random one of the eight symmetries of a square, as a function of planes."""
    turns, is_mirrored = rng.integers(4), rng.random() < 0.5
    return lambda plane: np.rot90(plane[..., ::-1] if is_mirrored else plane, turns, (-2, -1))


def sample(scenes, rng):
    """Input (4, side, side), boundary, field and what counts in the loss (side, side), all float32."""
    reflectance, labels = scenes.scene(rng)
    clear = cloud_free(rng, scenes.side)
    part, moved = scenes.part(rng), turned(rng)
    if clear[part].mean() < LEAST_CLEAR:
        clear[:] = True
    if rng.random() < WIDE_STRETCH_SHARE:
        x = network_input(reflectance, clear)[(slice(None), *part)]
    else:
        x = network_input(reflectance[(slice(None), *part)], clear[part])
    if rng.random() < NO_NIR_SHARE:
        x[3] = 0
    marks = labels[part]
    planes = (x, (marks & 1).astype(np.float32), (marks >> 1).astype(np.float32), clear[part].astype(np.float32))
    return tuple(moved(plane) for plane in planes)


def loss_of(logits, boundary, field, counts):
    """Weighted cross-entropy of the boundary, a little of the field's, and the soft Dice loss of the boundary."""
    weight = torch.tensor(BOUNDARY_WEIGHT)
    edge = functional.binary_cross_entropy_with_logits(logits[:, 0], boundary, weight=counts, pos_weight=weight)
    inside = functional.binary_cross_entropy_with_logits(logits[:, 1], field, weight=counts)
    probability = torch.sigmoid(logits[:, 0]) * counts
    target = boundary * counts
    dice = (2 * (probability * target).sum() + 1) / (probability.sum() + target.sum() + 1)
    return edge + FIELD_LOSS * inside + DICE_LOSS * (1 - dice)


def rate_at(step, steps, highest):
    """Rises over the first 100 steps, then falls almost straight to 2 %."""
    return highest * min(1.0, (step + 1) / 100) * max(0.02, (1 - step / steps) ** 0.9)


def averaged(average, state, decay=AVERAGE_DECAY):
    """Running mean of all weights; counters are taken over."""
    for key, value in state.items():
        if value.is_floating_point():
            average[key].mul_(decay).add_(value, alpha=1 - decay)
        else:
            average[key].copy_(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", nargs="+", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--until", type=int, help="stop early, before the rate has fallen")
    parser.add_argument("--start", help="weights to begin with, at the first step")
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    parser.add_argument("--side", type=int, default=96, help="pixels of the cuts, a multiple of 8")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    network = boundary_network().to(memory_format=torch.channels_last)
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start, map_location="cpu"))
    optimiser = torch.optim.AdamW(network.parameters(), lr=arguments.learning_rate, weight_decay=1e-4)
    average = {key: value.clone() for key, value in network.state_dict().items()}
    first, saved = 0, Path(arguments.out + ".state")
    if saved.exists():
        state = torch.load(saved)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        average, first = state["average"], state["step"]
    scenes, smoothed, started = Scenes(arguments.scenes, arguments.side), None, time.process_time()
    last = min(arguments.steps, arguments.until or arguments.steps)
    for step in range(first, last):
        rng = np.random.default_rng((arguments.seed, step))
        batch = [sample(scenes, rng) for _ in range(BATCH)]
        x, boundary, field, counts = (torch.from_numpy(np.ascontiguousarray(np.stack(part))) for part in zip(*batch))
        for group in optimiser.param_groups:
            group["lr"] = rate_at(step, arguments.steps, arguments.learning_rate)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = network(x.contiguous(memory_format=torch.channels_last))
        loss = loss_of(logits.float(), boundary, field, counts)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        averaged(average, network.state_dict())
        smoothed = loss.item() if smoothed is None else 0.98 * smoothed + 0.02 * loss.item()
        if (step + 1) % 100 == 0 or step + 1 == last:
            state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "average": average, "step": step + 1}
            torch.save(state, saved)
            torch.save(average, arguments.out)
            print(f"step {step + 1} loss {smoothed:.4f} {time.process_time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
