"""One table for all ideas: distance to people, jerk, spectrum, obedience and feet, plain against naturalised."""

import json
import subprocess
import time
from pathlib import Path

import numpy as np

from . import features, measures

# of every prompt the clips with the seeds 1 to this are measured
SEEDS = 1


class Yardstick:
    """What every idea is measured with."""

    def __init__(self, model, takes, pairs, plain, judge, work):
        self.model, self.plain, self.judge, self.work = model, plain, judge, Path(work)
        self.bank = self.codes([t for t in takes if t.split == "train"])
        self.test = self.codes([t for t in takes if t.split != "train"])
        self.pairs = pairs
        self.people = self.codes([p.person for p in pairs])
        self.lines = [line for line in plain.made() if line["seed"] <= SEEDS]
        self.guides = [plain.clip(line) for line in self.lines]
        self.before = [self.model.codes(g) for g in self.guides]

    def codes(self, clips):
        return np.concatenate([self.model.codes(clip) for clip in clips])

    def floor(self):
        """How far people are from people."""
        return {"idea": "people (test)", "frechet_pairs": None,
                "frechet": measures.frechet(self.test, self.bank),
                "nearest": float(measures.nearest(self.test, self.bank).mean())}

    def row(self, name, idea, strength=1.0):
        """Everything about one idea; None as idea is the engine alone."""
        def human(guide):
            return guide if idea is None else features.apply(guide, idea.residual(guide), strength)

        held = [human(p.guide) for p in self.pairs]
        started = time.process_time()
        made = [human(guide) for guide in self.guides]
        cost = (time.process_time() - started) / (sum(map(len, made)) / 30)
        after = [self.model.codes(clip) for clip in made]
        near = [(measures.nearest(a, self.bank).mean(), measures.nearest(b, self.bank).mean())
                for a, b in zip(self.before, after)]
        nearer = np.mean([b < a for a, b in near])
        jerks = [(measures.jerk(h), measures.jerk(p.person)) for h, p in zip(held, self.pairs)]
        row = {"idea": name, "strength": strength,
               "frechet_pairs": measures.frechet(self.codes(held), self.people),
               "frechet": measures.frechet(np.concatenate(after), self.bank),
               "nearest": float(np.mean([b for _, b in near])), "nearer": float(nearer),
               "apart_cm": float(np.mean([measures.apart_cm(h, p.person) for h, p in zip(held, self.pairs)])),
               "jerk_ratio": float(np.mean([a for a, _ in jerks]) / np.mean([b for _, b in jerks])),
               "spectrum_db": measures.spectral_gap(held, [p.person for p in self.pairs]), "cost": cost}
        folder = self.work / f"{name}-{strength:g}"
        self.write(folder, made)
        return row | self.obedience(folder)

    def write(self, folder, made):
        """The clips as `rehearse` reads them."""
        chosen, lines = type(self.plain).__new__(type(self.plain)), self.lines
        chosen.joints, chosen.rows, chosen.lines = self.plain.joints, self.plain.rows, lines
        chosen.write(folder, made)

    def obedience(self, folder):
        """What the judge says, feet locked as on the road."""
        text = subprocess.run([self.judge, "judge", str(folder)], check=True, capture_output=True, text=True).stdout
        (folder / "judge.txt").write_text(text)
        rows = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text().splitlines()]
        classes = {}
        for name in ("action", "count", "side", "direction", "speed", "order"):
            told = [row["classes"][name] for row in rows if name in row["classes"]]
            classes[name] = 100 * float(np.mean(told))
        return {"obeys": 100 * float(np.mean([row["obeys"] for row in rows])), **classes,
                "snaps": sum(row["snap"] is not None for row in rows),
                "skate": float(np.mean([row["skate"][0] for row in rows])),
                "locked": float(np.mean([row["skate"][1] for row in rows])),
                "people": text.splitlines()[-1].split("  ")[-1]}


COLUMNS = [("idea", "{}"), ("strength", "{:g}"), ("frechet_pairs", "{:.2f}"), ("frechet", "{:.2f}"),
           ("nearest", "{:.3f}"), ("nearer", "{:.0%}"), ("apart_cm", "{:.2f}"),
           ("jerk_ratio", "{:.2f}"), ("spectrum_db", "{:.2f}"),
           ("obeys", "{:.1f}"), ("action", "{:.1f}"), ("count", "{:.1f}"), ("side", "{:.1f}"),
           ("direction", "{:.1f}"), ("speed", "{:.1f}"), ("order", "{:.1f}"), ("snaps", "{}"),
           ("skate", "{:.2f}"), ("locked", "{:.2f}"), ("cost", "{:.3f}"), ("people", "{}")]


def table(rows):
    """The rows in Markdown."""
    def cell(row, name, form):
        return "–" if row.get(name) is None else form.format(row[name])

    lines = ["| " + " | ".join(name for name, _ in COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(cell(row, name, form) for name, form in COLUMNS) + " |" for row in rows]
    return "\n".join(lines)


def families(measure, prompts, plain, moved):
    """Plain beside naturalised, family by family: `plain` and `moved` are folders that `rehearse judge` has
    seen, with the same requests. Whatever made `moved`, this is what is shown of it."""
    said = {prompt["say"]: family["name"] for family in prompts["family"] for prompt in family["prompts"]}
    rows = {}
    for folder, kind in ((plain, 0), (moved, 1)):
        verdicts = {}
        for line in (folder.path / "verdicts.jsonl").read_text().splitlines():
            verdict = json.loads(line)
            verdicts[verdict["say"], verdict["seed"]] = verdict
        for line in folder.made():
            if line["seed"] > SEEDS or line["say"] not in said:
                continue
            verdict, clip = verdicts[line["say"], line["seed"]], folder.clip(line)
            near = float(measures.nearest(measure.model.codes(clip), measure.bank).mean())
            row = rows.setdefault((said[line["say"]], line["say"], line["seed"]), [None, None])
            row[kind] = (near, verdict["obeys"], measures.jerk(clip), verdict["skate"][1])
    return rows


def family_table(rows):
    """The rows in Markdown, the mean of all at last."""
    names = list(dict.fromkeys(name for name, _, _ in rows))
    lines = ["| family | clips | obeys % | | distance to people | | nearer | jerk m/s³ | | skate cm/s | |",
             "|---" * 11 + "|"]
    for name in [*names, "all"]:
        own = [row for (family, _, _), row in rows.items() if name in (family, "all")]
        before, after = (np.array([row[kind] for row in own], float).mean(0) for kind in (0, 1))
        nearer = np.mean([row[1][0] < row[0][0] for row in own])
        lines.append(f"| {name} | {len(own)} | {100 * before[1]:.1f} | {100 * after[1]:.1f} | {before[0]:.3f} | "
                     f"{after[0]:.3f} | {nearer:.0%} | {before[2]:.0f} | {after[2]:.0f} | {before[3]:.2f} | "
                     f"{after[3]:.2f} |")
    return "\n".join(lines)
