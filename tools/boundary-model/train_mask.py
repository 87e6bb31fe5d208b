"""Trains the mask network on synthetic scenes only, on a processor or a GPU.

python3 train_mask.py --network boundary-network.bin --scenes FOLDER [...] --out mask.pt --steps 8000 [--start other.pt]

Every FOLDER is one that pointScenes.ts wrote. Goes on from OUT.state when that exists, so that a run can be interrupted. The
last scenes of each folder are left out and measured.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from mask_network import SIDE, click_map, mask_network
from network import PERCENTILES, RANGE, SHIFT, boundary_network, filled
from train import averaged, rate_at

# Samples of 2.5 m along a pixel.
FINENESS = 4
AVERAGE_DECAY = 0.998
SCALES = (0.75, 1.5)
SCALED_SHARE = 0.7
GAIN_DEVIATION = 0.12
OFFSET_DEVIATION = 0.06
NOISE = 0.03
NO_NIR_SHARE = 0.4
CLOUDED_SHARE = 0.12
HELD_OUT_SHARE = 0.04
RIM_SHARE = 0.16
# The network's answer near the rim of a part differs from that in a whole window.
RIM = 8
EPSILON = 1.0


class Scenes:
    """Stretched scenes, the numbers of their fields at 2.5 m and the points to ask for, all in the memory of the device."""

    def __init__(self, folders, device, is_held_out=False):
        self.bands, self.fields, self.points = [], [], []
        for folder in folders:
            description = json.loads((Path(folder) / "scenes.json").read_text())
            side, points = description["side"], description["points"]
            length = side**2 * 8 + (FINENESS * side) ** 2 * 2
            file = np.memmap(Path(folder) / "scenes.bin", np.uint8, "r")
            kept = len(points) - max(1, round(len(points) * HELD_OUT_SHARE))
            for k in range(kept, len(points)) if is_held_out else range(kept):
                if points[k]:
                    record = file[k * length : (k + 1) * length]
                    self.add(record, side, points[k], device)
        self.bands, self.fields = torch.stack(self.bands), torch.stack(self.fields)
        self.side = self.bands.shape[-1]

    def add(self, record, side, points, device):
        values = np.frombuffer(record[: side**2 * 8].tobytes(), "<u2").reshape(4, side, side).astype(np.float32)
        roots = np.sqrt(values / 10_000)
        low, high = np.percentile(roots.reshape(4, -1), PERCENTILES, axis=1)[:, :, None, None]
        stretched = np.clip((roots - low) / (high - low + 1e-6), *RANGE) + SHIFT
        self.bands.append(torch.from_numpy(stretched.astype(np.float16)).to(device))
        fine = np.frombuffer(record[side**2 * 8 :].tobytes(), "<i2").reshape(FINENESS * side, FINENESS * side)
        self.fields.append(torch.from_numpy(fine.copy()).to(device))
        # A window of the service has its point in the middle.
        rim = RIM_SHARE * FINENESS * side
        central = [point for point in points if rim <= min(point[:2]) and max(point[:2]) <= FINENESS * side - rim]
        self.points.append(torch.tensor(central or points, device=device))


class Cuts:
    """Random cuts round points, turned, scaled and with other contrast."""

    def __init__(self, scenes, count, side, rng, augments=True):
        self.scenes, self.side, self.count = scenes, side, count
        device = scenes.bands.device
        drawn = lambda: torch.from_numpy(rng.random(count).astype(np.float32)).to(device)
        self.scene = torch.from_numpy(rng.integers(0, len(scenes.points), count)).to(device)
        picked = [scenes.points[int(k)][int(rng.integers(len(scenes.points[int(k)])))] for k in self.scene.tolist()]
        self.points = torch.stack(picked)
        self.numbers = self.points[:, 2]
        self.centre = self.points[:, :2].float()
        scale = SCALES[0] * (SCALES[1] / SCALES[0]) ** drawn()
        self.scale = torch.where(drawn() < SCALED_SHARE, scale, 1.0) if augments else torch.ones(count, device=device)
        turns = (drawn() * 4).floor() * (np.pi / 2) if augments else torch.zeros(count, device=device)
        mirror = torch.where(drawn() < 0.5, -1.0, 1.0) if augments else torch.ones(count, device=device)
        # Rows and columns of the scene for a step down and a step across the cut.
        self.down = torch.stack([turns.cos(), turns.sin()], 1)
        self.across = torch.stack([-turns.sin(), turns.cos()], 1) * mirror[:, None]
        self.augments, self.rng, self.device = augments, rng, device

    def places(self, side, step):
        """(n, side, side, 2): row and column in samples of 2.5 m of every place of the cut, step samples apart."""
        # The asked point is the middle of the pixel before which the cut's middle lies.
        offsets = (torch.arange(side, device=self.device) + 0.5 - side / 2) * step - FINENESS / 2
        steps = offsets[None, :, None, None] * self.down[:, None, None] + offsets[None, None, :, None] * self.across[:, None, None]
        return self.centre[:, None, None] + steps / self.scale[:, None, None, None]

    def input(self):
        """The bands (n, 4, side, side) and what of them is seen (n, 1, side, side)."""
        places = self.places(self.side, FINENESS)
        grid = (places / (FINENESS * self.scenes.side) * 2 - 1).flip(-1)
        seen = (grid.abs() < 1).all(-1)[:, None].float()
        x = functional.grid_sample(self.scenes.bands[self.scene].float(), grid, padding_mode="border", align_corners=False)
        if self.augments:
            x, seen = self.changed(x), seen * self.cloud_free()
            x[:, 3] *= torch.from_numpy((self.rng.random(self.count) >= NO_NIR_SHARE).astype(np.float32)).to(self.device)[:, None, None]
        return x * seen, seen

    def changed(self, x):
        """Gain and offset of all bands and of each, and a little noise."""
        normal = lambda *shape: torch.from_numpy(self.rng.normal(size=shape).astype(np.float32)).to(self.device)
        gain = (GAIN_DEVIATION * (normal(self.count, 1, 1, 1) + normal(self.count, 4, 1, 1))).exp()
        offset = OFFSET_DEVIATION * normal(self.count, 4, 1, 1)
        noise = NOISE * torch.from_numpy(self.rng.random(self.count).astype(np.float32) ** 2).to(self.device)
        return (x * gain + offset + noise[:, None, None, None] * torch.randn_like(x)).clamp(RANGE[0] + SHIFT, RANGE[1] + SHIFT)

    def cloud_free(self):
        """(n, 1, side, side): 0 in round holes of some of the cuts."""
        lines = torch.arange(self.side, device=self.device).float()
        clear = torch.ones(self.count, self.side, self.side, device=self.device)
        for k in np.flatnonzero(self.rng.random(self.count) < CLOUDED_SHARE):
            for _ in range(self.rng.integers(1, 4)):
                row, column = self.rng.uniform(0, self.side, 2)
                radius = self.rng.uniform(0.05, 0.25) * self.side
                far_from_point = max(0.0, np.hypot(row - self.side / 2, column - self.side / 2) - 3)
                clear[k] *= ((lines[:, None] - row) ** 2 + (lines[None] - column) ** 2 > min(radius, far_from_point) ** 2).float()
        return clear[:, None]

    def numbers_at(self, side, step):
        """The field's number at every place of a grid, -1 beyond the scene."""
        places = self.places(side, step)
        edge = FINENESS * self.scenes.side
        rows, columns = places.floor().long().unbind(-1)
        is_inside = (rows >= 0) & (rows < edge) & (columns >= 0) & (columns < edge)
        found = self.scenes.fields[self.scene[:, None, None], rows.clamp(0, edge - 1), columns.clamp(0, edge - 1)]
        return torch.where(is_inside, found.long(), -1)


def middle(x, rim):
    return x[..., rim:-rim, rim:-rim]


def probabilities_of(network, x):
    """The mean of two opposite views, as the service has them."""
    views = torch.cat([x, x.flip(-2, -1)]).contiguous(memory_format=torch.channels_last)
    with torch.no_grad(), torch.autocast(x.device.type, dtype=torch.bfloat16):
        first, second = torch.sigmoid(network(views).float()).chunk(2)
    return (first + second.flip(-2, -1)) / 2


def batch_of(scenes, count, rng, base, augments=True):
    """Inputs (n, 7, side, side), the asked fields and what of the ground is seen (n, 1, side, side)."""
    cuts = Cuts(scenes, count, SIDE + 2 * RIM, rng, augments)
    x, seen = cuts.input()
    probabilities = probabilities_of(base, x)
    click = click_map(SIDE).to(x.device).expand(count, 1, -1, -1)
    inputs = torch.cat([middle(torch.cat([x, probabilities * seen], 1), RIM), click], 1)
    numbers = cuts.numbers_at(2 * SIDE, FINENESS / 2)
    # Where no field was asked for, nothing is the right answer.
    own = ((numbers == cuts.numbers[:, None, None]) & (numbers >= 0)).float()[:, None]
    return inputs, (functional.avg_pool2d(own, 2) >= 0.5).float(), middle(seen, RIM)


def loss_of(logits, target, seen):
    """log cosh of what the Dice of either class, squared in the denominator, lacks of 1; rare classes weigh more.

    As PRUE has it (arXiv 2603.27101).
    """
    probability = torch.sigmoid(logits)
    losses, weights = [], []
    for p, g in ((probability, target), (1 - probability, 1 - target)):
        p, g = p * seen, g * seen
        dice = (2 * (p * g).sum((1, 2, 3)) + EPSILON) / ((p**2).sum((1, 2, 3)) + (g**2).sum((1, 2, 3)) + EPSILON)
        losses.append(torch.log(torch.cosh(1 - dice)))
        weights.append(1 / (g.sum((1, 2, 3)) + 1))
    weights = torch.stack(weights) / torch.stack(weights).sum(0)
    return (weights * torch.stack(losses)).sum(0).mean()


def measured(logits, target, seen):
    """IoU with the asked fields, and at how many points outside fields nothing is found."""
    found = (logits > 0).float() * seen
    shared, both = (found * target).sum((1, 2, 3)), torch.maximum(found, target * seen).sum((1, 2, 3))
    has_field = target.sum((1, 2, 3)) > 0
    iou = (shared / both.clamp(min=1))[has_field]
    return {"iou": iou, "empty": (found.sum((1, 2, 3)) < 20).float()[~has_field]}


def held_out(network, average, scenes, base):
    """What the averaged weights reach on scenes that were left out."""
    own = {key: value.clone() for key, value in network.state_dict().items()}
    network.load_state_dict(average)
    network.eval()
    rng, found = np.random.default_rng(0), {}
    with torch.no_grad():
        for _ in range(8):
            inputs, *truth = batch_of(scenes, 16, rng, base, augments=False)
            for name, values in measured(network(inputs).float(), *truth).items():
                found.setdefault(name, []).append(values)
    network.train()
    network.load_state_dict(own)
    joined = {name: torch.cat(values) for name, values in found.items()}
    return ", ".join(f"{name} {values.mean():.3f}/{values.median():.3f}" for name, values in joined.items() if len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--network", required=True, help="the folded boundary network")
    parser.add_argument("--scenes", nargs="+", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--start", help="weights to begin with, at the first step")
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--seconds", type=float, help="as many steps as fit, in place of --steps")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(arguments.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    base = filled(boundary_network(), np.fromfile(arguments.network, "<f4")).to(device, memory_format=torch.channels_last)
    scenes, left_out = Scenes(arguments.scenes, device), Scenes(arguments.scenes, device, is_held_out=True)
    print(f"{device}, {len(scenes.points)} scenes and {len(left_out.points)} left out", flush=True)
    network = mask_network().to(device, memory_format=torch.channels_last)
    if arguments.start:
        network.load_state_dict(torch.load(arguments.start, map_location=device))
    print(f"{sum(numbers.numel() for numbers in network.parameters())} numbers", flush=True)
    optimiser = torch.optim.AdamW(network.parameters(), lr=arguments.learning_rate, weight_decay=1e-4)
    average = {key: value.clone() for key, value in network.state_dict().items()}
    first, saved, steps = 0, Path(arguments.out + ".state"), arguments.steps
    if saved.exists():
        state = torch.load(saved, map_location=device)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        average, first, steps = state["average"], state["step"], state["steps"]
    smoothed, started, step = None, time.monotonic(), first
    while step < steps:
        rng = np.random.default_rng((arguments.seed, step))
        inputs, *truth = batch_of(scenes, arguments.batch, rng, base)
        for group in optimiser.param_groups:
            group["lr"] = rate_at(step, steps, arguments.learning_rate)
        with torch.autocast(device.type, dtype=torch.bfloat16):
            logits = network(inputs.contiguous(memory_format=torch.channels_last))
        loss = loss_of(logits.float(), *truth)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        averaged(average, network.state_dict(), AVERAGE_DECAY)
        step += 1
        if step % 50 == 0 or step == steps:
            smoothed = loss.item() if smoothed is None else 0.8 * smoothed + 0.2 * loss.item()
        if arguments.seconds and step == first + 150:
            # The first hundred steps warm up.
            before = time.monotonic()
        if arguments.seconds and step == first + 250:
            each = (time.monotonic() - before) / 100
            steps = step + int((arguments.seconds - (time.monotonic() - started)) / each)
            print(f"{1 / each:.1f} steps a second, {steps} in all", flush=True)
        if step % 1000 == 0 or step == steps:
            state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), "average": average}
            torch.save({**state, "step": step, "steps": steps}, saved)
            torch.save(average, arguments.out)
            print(f"step {step} loss {smoothed:.4f} {time.monotonic() - started:.0f} s, left out: {held_out(network, average, left_out, base)}", flush=True)


if __name__ == "__main__":
    main()
