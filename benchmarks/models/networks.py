"""Networks of PyTorch with random weights: residual networks, an encoder of BERT's size, an LSTM, torchvision's."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


def _residual(width_in: int, width: int, stride: int, bottleneck: bool) -> nn.Module:
    """One block of a residual network."""
    out = width * 4 if bottleneck else width

    def unit(a: int, b: int, kernel: int, step: int) -> list[nn.Module]:
        return [nn.Conv2d(a, b, kernel, step, kernel // 2, bias=False), nn.BatchNorm2d(b)]

    if bottleneck:
        middle = [
            *unit(width_in, width, 1, 1),
            nn.ReLU(),
            *unit(width, width, 3, stride),
            nn.ReLU(),
            *unit(width, out, 1, 1),
        ]
    else:
        middle = [*unit(width_in, width, 3, stride), nn.ReLU(), *unit(width, out, 3, 1)]

    class Block(nn.Module):  # type: ignore[misc]  # PyTorch may be missing
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(*middle)
            same = width_in == out and stride == 1
            self.shortcut = nn.Identity() if same else nn.Sequential(*unit(width_in, out, 1, stride))

        def forward(self, x: Any) -> Any:
            return torch.relu(self.body(x) + self.shortcut(x))

    return Block()


def residual_network(depths: list[int], bottleneck: bool) -> nn.Module:
    """A residual network for images of 224 by 224 and 1,000 classes."""
    layers: list[nn.Module] = [
        nn.Conv2d(3, 64, 7, 2, 3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
    ]
    width_in = 64
    for stage, depth in enumerate(depths):
        for number in range(depth):
            width = 64 << stage
            layers.append(_residual(width_in, width, 2 if stage and not number else 1, bottleneck))
            width_in = width * (4 if bottleneck else 1)
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width_in, 1000))


class Encoder(nn.Module):  # type: ignore[misc]  # PyTorch may be missing
    """A transformer's encoder, of the size of BERT's base model: 12 layers, 768 wide, 12 heads."""

    def __init__(
        self, words: int = 30522, length: int = 512, width: int = 768, heads: int = 12, layers: int = 12
    ) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(length, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(_EncoderLayer(width, heads) for _ in range(layers))

    def forward(self, words: Any) -> Any:
        places = torch.arange(words.shape[1], device=words.device).unsqueeze(0)
        x = self.norm(self.words(words) + self.places(places))
        for layer in self.layers:
            x = layer(x)
        return x


class _EncoderLayer(nn.Module):  # type: ignore[misc]  # PyTorch may be missing
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x: Any) -> Any:
        batch, length, width = x.shape
        split = batch, length, self.heads, width // self.heads
        query, key, value = (f(x).reshape(split).transpose(1, 2) for f in (self.query, self.key, self.value))
        weights = torch.softmax(query @ key.transpose(2, 3) / (width // self.heads) ** 0.5, dim=-1)
        x = self.first(x + self.out((weights @ value).transpose(1, 2).reshape(batch, length, width)))
        return self.second(x + self.narrow(nn.functional.gelu(self.wide(x))))


class Recurrent(nn.Module):  # type: ignore[misc]  # PyTorch may be missing
    """Two layers of LSTM in both directions, and a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(64, 128, num_layers=2, bidirectional=True, batch_first=True)
        self.out = nn.Linear(256, 10)

    def forward(self, x: Any) -> Any:
        return self.out(self.lstm(x)[0])


def vision(name: str, group: str = "", **settings: Any) -> nn.Module:
    """A network of torchvision."""
    import torchvision

    where = getattr(torchvision.models, group) if group else torchvision.models
    return getattr(where, name)(weights=None, **settings)
