"""The encoder of sentence-transformers' MiniLM (Wang et al. 2020), and heads that predict events from it."""

import torch
from torch import nn
from torch.nn import functional

from .fields import CLIP, LISTS, REFERENCES, TAGS, Fields

WIDTH = 384
HEADS = 12
LINKED = 64
FAR = 8
"""Maximum relative distance in words; larger distances are clipped to it."""
BETWEEN = 3
"""Maximum number of events counted between a word and its event."""


class Layer(nn.Module):
    """A transformer layer of the published encoder."""

    def __init__(self, inner: int):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out, self.out_norm = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)
        self.up, self.down, self.norm = nn.Linear(WIDTH, inner), nn.Linear(inner, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x, mask, drop):
        batch, length, _ = x.shape
        split = lambda y: y.view(batch, length, HEADS, -1).transpose(1, 2)
        # written out, because PyTorch's own attention takes four times as long for short sentences on a processor
        scores = split(self.query(x)) @ split(self.key(x)).transpose(-1, -2) / (WIDTH // HEADS) ** 0.5
        seen = scores.masked_fill(~mask, -1e4).softmax(-1) @ split(self.value(x))
        x = self.out_norm(x + drop(self.out(seen.transpose(1, 2).reshape(batch, length, WIDTH))))
        return self.norm(x + drop(self.down(functional.gelu(self.up(x)))))


class Encoder(nn.Module):
    def __init__(self, layers: int, pieces: int):
        super().__init__()
        self.pieces, self.places = nn.Embedding(pieces, WIDTH), nn.Embedding(512, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(1536) for _ in range(layers))
        self.drop = nn.Dropout(0.1)

    def forward(self, ids, mask):
        x = self.drop(self.norm(self.pieces(ids) + self.places.weight[: ids.shape[1]]))
        mask = mask[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask, self.drop)
        return x

    def load_published(self, published: dict):
        """Initialises the layers from published ones, spread evenly from the first to the last."""
        take = published.__getitem__
        self.pieces.weight.data = take("embeddings.word_embeddings.weight").float()
        # inputs are single sentences, so the token type embedding is a constant added to every position
        kind = take("embeddings.token_type_embeddings.weight")[0].float()
        self.places.weight.data = take("embeddings.position_embeddings.weight").float() + kind
        self._load(self.norm, published, "embeddings.LayerNorm")
        count = 1 + max(int(name.split(".")[2]) for name in published if name.startswith("encoder.layer."))
        spread = [round(i * (count - 1) / max(1, len(self.layers) - 1)) for i in range(len(self.layers))]
        for layer, number in zip(self.layers, spread):
            of = f"encoder.layer.{number}."
            for mine, theirs in (("query", "attention.self.query"), ("key", "attention.self.key"),
                                 ("value", "attention.self.value"), ("out", "attention.output.dense"),
                                 ("out_norm", "attention.output.LayerNorm"), ("up", "intermediate.dense"),
                                 ("down", "output.dense"), ("norm", "output.LayerNorm")):
                self._load(getattr(layer, mine), published, of + theirs)

    @staticmethod
    def _load(module, published, name):
        module.weight.data = published[name + ".weight"].float()
        module.bias.data = published[name + ".bias"].float()


class Value(nn.Module):
    """Predicts a field of an event from its trigger and from the words that express the field."""

    def __init__(self, classes: int, hidden: int):
        super().__init__()
        self.one, self.two = nn.Linear(2 * WIDTH, hidden), nn.Linear(hidden, classes)

    def forward(self, event, words):
        return self.two(functional.gelu(self.one(torch.cat([event, words], -1))))


class Reader(nn.Module):
    def __init__(self, fields: Fields, layers: int, pieces: int):
        super().__init__()
        self.fields = fields
        self.encoder = Encoder(layers, pieces)
        self.trigger = nn.Linear(WIDTH, 3)
        self.tags = nn.Linear(WIDTH, len(TAGS))
        self.link_word, self.link_event = nn.Linear(WIDTH, LINKED), nn.Linear(WIDTH, LINKED)
        self.link_far, self.link_between = nn.Embedding(2 * FAR + 1, 1), nn.Embedding(2 * BETWEEN + 1, 1)
        self.sense_in, self.senses = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, len(fields.senses))
        self.values = nn.ModuleDict({name: Value(1 + len(known), 64) for name, known in fields.values.items()})
        self.lists = nn.ModuleDict({name: Value(len(known), 64) for name, known in fields.lists.items()})
        self.refer_from = nn.ModuleDict({name: nn.Linear(WIDTH, LINKED) for name in (*REFERENCES, "order")})
        self.refer_to = nn.ModuleDict({name: nn.Linear(WIDTH, LINKED) for name in (*REFERENCES, "order")})
        self.refer_far = nn.ModuleDict({name: nn.Embedding(2 * FAR + 1, 1) for name in (*REFERENCES, "order")})
        self.refer_none = nn.ModuleDict({name: Value(1, 64) for name in REFERENCES})
        self.clip = nn.ModuleDict({name: nn.Linear(WIDTH, len(options)) for name, options in CLIP.items()})
        self.drop = nn.Dropout(0.1)
        nn.init.zeros_(self.link_far.weight)
        nn.init.zeros_(self.link_between.weight)

    def encode(self, batch):
        pieces = self.encoder(batch["ids"], batch["mask"])
        return self.drop(torch.bmm(batch["pooling"], pieces)), pieces[:, 0]

    def of_words(self, words):
        return self.trigger(words), self.tags(words)

    def of_events(self, words, whole, tag_logits, batch, said=None):
        """Outputs of all heads for the events whose triggers `batch["spans"]` contains, one row per event.

        `said` (events × words × fields) replaces the predicted assignment of words to fields by the true one.
        """
        of = batch["of"]
        here = words[of]
        event = torch.bmm(batch["spans"][:, None, :], here)[:, 0]
        link = torch.bmm(self.link_word(here), self.link_event(event)[:, :, None])[..., 0] / LINKED**0.5
        link = link + self.link_far(batch["far"])[..., 0] + self.link_between(batch["between"])[..., 0]
        link = link.masked_fill(~batch["is_word"][of], -30.0)
        weights = torch.sigmoid(tag_logits)[of] * torch.sigmoid(link)[..., None] if said is None else said
        # dividing by at least 1 leaves weak evidence weak, while a field expressed twice counts once
        sums = torch.einsum("ewf,ewd->efd", weights.to(here.dtype), here)
        means = sums / weights.sum(1)[..., None].clamp(min=1.0)
        tag = {name: means[:, number] for number, name in enumerate(TAGS)}
        none = torch.zeros_like(event)
        return {
            "link": link,
            "sense": self.senses(functional.gelu(self.sense_in(event))),
            "values": {name: head(event, tag.get(name, none)) for name, head in self.values.items()},
            "lists": {name: head(event, tag[name]) for name, head in self.lists.items()},
            "references": self.references(event, tag, batch),
            "clip": {name: head(whole) for name, head in self.clip.items()},
        }

    def references(self, event, tag, batch):
        """For each reference field, scores per event: first for no reference, then for each event of the same text."""
        same = batch["of"][:, None] == batch["of"][None, :]
        apart = (batch["number"][None, :] - batch["number"][:, None]).clamp(-FAR, FAR) + FAR
        found = {}
        for name in (*REFERENCES, "order"):
            scores = self.refer_from[name](event) @ self.refer_to[name](event).T / LINKED**0.5
            scores = scores + self.refer_far[name](apart)[..., 0]
            if name == "order":
                found[name] = scores
                continue
            allowed = same & ~torch.eye(len(event), dtype=torch.bool)
            none = self.refer_none[name](event, tag[name])
            found[name] = torch.cat([none, scores.masked_fill(~allowed, -30.0)], 1)
        return found
