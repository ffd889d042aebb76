"""`python -m limber_prior`, which `cargo xtask train` starts: from data to the table and the weights.

Every stage keeps what it made under --work and is passed over when that is there: an interrupted run goes
on, and a stage is done anew by deleting its file.
"""

import argparse
import json
import os
import pickle
import subprocess
import sys
import time
import tomllib
from pathlib import Path

# one core: the other one is somebody's
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

from . import between, clips, compare, evaluator, export, features, ideas, pairs, sheets  # noqa: E402

# pairs that are further apart do not do the same
NEAR = 0.65
PROMPT_SEEDS = 2
PROMPTS = Path(__file__).parents[2] / "crates/limber-judge/data/prompts.toml"
SHEETS = ["a person walks forward", "a person runs forward", "a person jumps", "a person sits down, then stands up",
          "a person waves with the right hand", "a person kicks with the left leg"]


def arguments():
    parser = argparse.ArgumentParser("limber_prior", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rehearse", type=Path, required=True, help="the program that makes and judges clips")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--compare", nargs="*", metavar="IDEA", default=None,
                        help="measure these ideas: " + ", ".join(IDEAS) + "; all without a name")
    parser.add_argument("--encoder", action="store_true",
                        help="measure with a trained encoder instead of principal components (an hour more)")
    parser.add_argument("--export", type=Path, metavar="FOLDER", help="write the weights of the chosen ideas here")
    parser.add_argument("--families", type=Path, metavar="FOLDER",
                        help="the prompt set's clips as `rehearse naturalise` made them, beside plain ones")
    parser.add_argument("--between", action="store_true", help="measure in-betweening on held-out people")
    parser.add_argument("--golden", type=Path, help="write what they say of an invented clip here")
    return parser.parse_args()


class Log:
    """Lines with the time, to the terminal and to a file."""

    def __init__(self, path):
        self.file = open(path, "a")
        self.started = time.monotonic()

    def __call__(self, line):
        text = f"{time.monotonic() - self.started:7.0f} s  {line}"
        print(text, flush=True)
        print(text, file=self.file, flush=True)


def kept(path, make):
    """What is in the file; made and put there when it is missing."""
    if path.exists():
        return pickle.loads(path.read_bytes())
    made = make()
    fresh = path.with_suffix(".new")
    fresh.write_bytes(pickle.dumps(made))
    fresh.replace(path)
    return made


class Material:
    """Takes, pairs, the evaluator and the prompt set's clips."""

    def __init__(self, options, log):
        self.options, self.log = options, log
        self.work = options.work
        takes = kept(self.work / "takes.pickle", lambda: clips.load_data(options.data))
        self.recorded = [take for take in takes if take.recorded]
        self.train = [take for take in self.recorded if take.split == "train"]
        log(f"{len(takes)} clips, {len(self.recorded)} of recorded people, {len(self.train)} to learn from")
        found = kept(self.work / "pairs.pickle", lambda: self.make_pairs(takes))
        self.pairs = [p for p in found if p.person.split == "train" and p.distance < NEAR]
        self.held = [p for p in found if p.person.split != "train" and p.distance < NEAR + 0.15]
        log(f"{len(found)} pairs, {len(self.pairs)} to learn from, {len(self.held)} held out")

    def make_pairs(self, takes):
        asked = self.work / "pairs.jsonl"
        owners = pairs.requests(takes, asked, self.options.seed)
        self.rehearse("make", asked, self.work / "pairs")
        return pairs.align(takes, owners, self.work / "pairs")

    def plain(self):
        """The prompt set as the engine makes it."""
        folder = self.work / "plain"
        if not (folder / "clips.jsonl").exists():
            self.rehearse("prompts", PROMPT_SEEDS, folder)
        return clips.Folder(folder)

    def rehearse(self, *words):
        subprocess.run([str(self.options.rehearse), *map(str, words)], check=True)

    def idea(self, name):
        """An idea by its name, made when it is not there yet."""
        return kept(self.work / f"idea-{name}.pickle", lambda: IDEAS[name](self))

    def yardstick(self):
        if self.options.encoder:
            model = kept(self.work / "encoder.pickle",
                         lambda: evaluator.train(self.train, seed=self.options.seed, log=self.log))
        else:
            model = kept(self.work / "evaluator.pickle", lambda: evaluator.Linear(self.train))
        return compare.Yardstick(model, self.recorded, self.held, self.plain(), self.options.rehearse,
                                 self.work / "compare")


def learned(name):
    """The ideas of networks.py need PyTorch; the others do without."""
    def make(material):
        from . import networks
        import torch
        torch.set_num_threads(1)
        if name == "flow":
            return networks.Flow(material.pairs, material.train, seed=material.options.seed, log=material.log)
        return networks.Denoise(material.train, seed=material.options.seed, log=material.log)
    return make


IDEAS = {
    "regression": lambda m: ideas.Regression(m.pairs, seed=m.options.seed),
    "texture": lambda m: ideas.Texture(m.train, m.options.seed),
    "regression+texture": lambda m: ideas.Sum(m.idea("regression"), m.idea("texture")),
    "subspace": lambda m: ideas.Subspace(m.train, m.pairs),
    "neighbours": lambda m: ideas.Neighbours(m.train),
    "manifold": lambda m: ideas.Manifold(m.train),
    "flow": learned("flow"),
    "denoise": learned("denoise"),
}
CHOSEN = ("regression", "texture")


def compared(material, names):
    """Writes table.md and rows.json; a sheet per idea and prompt."""
    measure = material.yardstick()
    rows = [measure.floor(), measure.row("engine", None)]
    for name in names:
        idea = material.idea(name)
        rows.append(measure.row(name, idea))
        material.log(compare.table(rows[-1:]).splitlines()[-1])
        draw(material, name, idea)
    (material.work / "table.md").write_text(compare.table(rows) + "\n")
    (material.work / "rows.json").write_text(json.dumps(rows, indent=1))


def family_by_family(material, folder):
    """Writes families.md: the product's own clips beside the engine's."""
    plain = material.plain()
    material.rehearse("judge", plain.path, folder)
    prompts = tomllib.loads(PROMPTS.read_text())
    rows = compare.families(material.yardstick(), prompts, plain, clips.Folder(folder))
    (material.work / "families.md").write_text(compare.family_table(rows) + "\n")


def draw(material, name, idea):
    plain, folder = material.plain(), material.work / "sheets"
    folder.mkdir(exist_ok=True)
    for line in plain.made():
        if line["say"] in SHEETS and line["seed"] == 1:
            guide = plain.clip(line)
            human = features.apply(guide, idea.residual(guide))
            sheets.sheet([("engine", guide), (name, human)], folder / f"{line['say'].replace(' ', '_')}-{name}.png")


def main():
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    log = Log(options.work / "log.txt")
    log("limber_prior " + " ".join(sys.argv[1:]))
    material = Material(options, log)
    if options.compare is not None:
        compared(material, options.compare or list(IDEAS))
    chosen = [material.idea(name) for name in CHOSEN]
    log(f"{CHOSEN[0]}: explains {chosen[0].explained:.1%} of the residual")
    if options.families:
        family_by_family(material, options.families)
    if options.between:
        held = [take for take in material.recorded if take.split != "train"]
        (material.work / "between.md").write_text(between.compared(held, material.train, seed=options.seed) + "\n")
    if options.golden:
        export.golden(*chosen, options.golden)
    if options.export:
        options.export.mkdir(parents=True, exist_ok=True)
        for idea, name in zip(chosen, ("residual", "texture")):
            log(export.write(idea, options.export / f"{name}.safetensors", options.data))


if __name__ == "__main__":
    main()
