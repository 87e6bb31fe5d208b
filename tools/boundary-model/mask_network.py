"""The network that is told the asked point, in PyTorch, and its numbers with batch normalisation folded in."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from network import BANDS, OUTPUTS, WIDTHS, block

# What the mask network sees: the bands, the boundary network's two probabilities, the point that was asked.
INPUTS = BANDS + OUTPUTS + 1
LEVEL_WIDTHS = (16, 24, 32, 48, 64)
SIDE = 128
CLICK_SIGMA = 3.0


class FoldedNetwork(nn.Module):
    """The boundary network as the service reads it, to build on: nothing of it is trained."""

    def __init__(self, numbers):
        super().__init__()
        one, two, three, four = WIDTHS
        shapes = [(BANDS, one), (one, two), (two, three), (three, four), (three + four, three), (two + three, two), (one + two, one)]
        self.at, self.numbers = 0, torch.from_numpy(np.asarray(numbers, np.float32).copy())
        self.blocks = nn.ModuleList([self.folded_block(inputs, outputs) for inputs, outputs in shapes])
        self.head = nn.Conv2d(one, OUTPUTS, 1)
        self.fill(self.head)
        if self.at != len(self.numbers):
            raise ValueError(f"The network's file has {len(self.numbers)} numbers, not {self.at}.")
        del self.numbers
        self.requires_grad_(False)

    def folded_block(self, inputs, outputs):
        layers = [nn.Conv2d(inputs, outputs, 3, padding=1), nn.Conv2d(outputs, outputs, 3, padding=1)]
        for convolution in layers:
            self.fill(convolution)
        return nn.Sequential(layers[0], nn.ReLU(inplace=True), layers[1], nn.ReLU(inplace=True))

    def fill(self, convolution):
        for numbers in (convolution.weight, convolution.bias):
            numbers.data.copy_(self.numbers[self.at : self.at + numbers.numel()].reshape(numbers.shape))
            self.at += numbers.numel()

    def forward(self, x):
        """Logits (n, 2, H, W)."""
        levels = []
        for index, part in enumerate(self.blocks[:4]):
            x = part(functional.max_pool2d(x, 2) if index else x)
            levels.append(x)
        for part, skip in zip(self.blocks[4:], reversed(levels[:-1])):
            x = part(torch.cat([skip, functional.interpolate(x, scale_factor=2, mode="nearest")], 1))
        return self.head(x)


class MaskNetwork(nn.Module):
    """Input (n, 7, H, W) with sides that are multiples of 16; output logits (n, 1, H, W) of the asked point's field."""

    def __init__(self):
        super().__init__()
        widths = LEVEL_WIDTHS
        pairs = list(zip(widths[:-1], widths[1:]))
        self.encoder = nn.ModuleList([block(INPUTS, widths[0]), *(block(fine, coarse) for fine, coarse in pairs)])
        # Indexed by level like the encoder; they run from the coarsest to the finest.
        self.decoder = nn.ModuleList([block(fine + coarse, fine) for fine, coarse in pairs])
        self.head = nn.Conv2d(widths[0], 1, 1)

    def forward(self, x):
        levels = []
        for index, part in enumerate(self.encoder):
            x = part(functional.max_pool2d(x, 2) if index else x)
            levels.append(x)
        for part, skip in zip(reversed(self.decoder), reversed(levels[:-1])):
            x = part(torch.cat([skip, functional.interpolate(x, scale_factor=2, mode="nearest")], 1))
        return self.head(x)

    def layers(self):
        return [one for one_block in [*self.encoder, *reversed(self.decoder)] for one in one_block]


def click_map(side):
    """(side, side): 1 at the middle, where the asked point is, falling to 0 within a few pixels."""
    offsets = torch.arange(side) - side // 2
    return torch.exp(-(offsets[:, None] ** 2 + offsets[None] ** 2) / (2 * CLICK_SIGMA**2))


def folded_numbers(network):
    """All numbers in running order, float32: of each layer the weights [output][input][row][column], then the biases."""
    parts = []
    for convolution, norm, _ in network.layers():
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        parts += [convolution.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale]
    parts += [network.head.weight, network.head.bias]
    return np.concatenate([part.detach().cpu().numpy().astype("<f4").ravel() for part in parts])
