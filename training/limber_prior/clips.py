"""One format for everything that moves: recorded takes, named animation clips and the engine's clips."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from . import body, rotations as r

# the data's joints by the canonical skeleton's names
DATA_JOINTS = ["Hips", "Spine", "Spine1", "Spine2", "Neck", "Head",
               "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand",
               "RightShoulder", "RightArm", "RightForeArm", "RightHand",
               "LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase",
               "RightUpLeg", "RightLeg", "RightFoot", "RightToeBase"]
DATA_ANKLE_M = 0.075
# the data's elbows bend about an axis that is rolled by this much about the upper arm, left positive
ELBOW_ROLL_RAD = np.radians(30)
DATA_SETS = ("cmu-text", "cc0-clips")


@dataclass
class Clip:
    """Motion of the canonical body at 30 frames per second."""

    name: str
    place: np.ndarray      # (T, 3) the hips, metres
    turns: np.ndarray      # (T, 22, 4) local quaternions w x y z
    contacts: np.ndarray   # (T, 4) heel and toe left, heel and toe right
    captions: list = field(default_factory=list)
    split: str = "train"
    recorded: bool = True  # people; not animated by hand and not turned back from a robot
    source: str = ""

    def __len__(self):
        return len(self.place)

    def cut(self, start, end):
        """Some of the frames, beginning over x = z = 0 and facing +Z as all clips do."""
        place, turns = level(self.place[start:end], self.turns[start:end])
        return Clip(self.name, place, turns, self.contacts[start:end], self.captions, self.split,
                    self.recorded, self.source)


def level(place, turns):
    """The same motion, beginning over x = z = 0, facing +Z."""
    back = r.about_y(-r.yaw(turns[0, 0]))
    moved = r.rotate(back, place - place[0] * np.array([1, 0, 1]))
    turns = turns.copy()
    turns[:, 0] = r.multiply(back, turns[:, 0])
    return moved, turns


def load_data(folder):
    """All clips of both data sets. `kk_*` are in both and taken from cc0-clips, where feet are held."""
    folder = Path(folder)
    missing = [name for name in DATA_SETS if not (folder / name / "motion.npz").exists()]
    if missing:
        raise SystemExit(f"no training data: {', '.join(missing)} with motion.npz and clips.jsonl should be in "
                         f"{folder}; say where the data are with --data")
    found = []
    for name in DATA_SETS:
        with np.load(folder / name / "motion.npz") as arrays:
            lines = (folder / name / "clips.jsonl").read_text().splitlines()
            for line in map(json.loads, lines):
                if not (name == "cmu-text" and line["seg"].startswith("kk_")):
                    found.append(_data_clip(arrays, line, name))
    return found


def _data_clip(arrays, line, source):
    names = [str(n) for n in arrays["joints"]]
    order = [names.index(n) for n in DATA_JOINTS]
    offsets = arrays["offsets"].astype(float)[order]
    span = slice(line["start"], line["end"])
    turns = arrays["rot/" + line["seg"]][span].astype(float)[:, order]
    turns = r.smooth_signs(r.unit(turns))
    root = arrays["pos/" + line["seg"]][span].astype(float)
    # the hip joints keep their place above the ankles, scaled with the leg
    legs = [DATA_JOINTS.index(n) for n in ("LeftLeg", "LeftFoot")]
    scale = body.LEG_M / sum(np.linalg.norm(offsets[j]) for j in legs)
    theirs, ours = offsets[14] * [0, 1, 1], body.PLACES[14] * [0, 1, 1]
    hips = (root + r.rotate(turns[:, 0], theirs)) * scale - r.rotate(turns[:, 0], ours)
    hips[:, 1] += body.ANKLE_M - DATA_ANKLE_M * scale
    place, turns = level(hips, _with_our_elbows(turns))
    captions = [] if line["mixed"] else line["captions"]
    captions = [c.format("a person") for c in captions + line["auto"]]
    kind = line.get("tags", {}).get("kind", "mocap")
    recorded = kind == "mocap" and not line["seg"].startswith(("kk_", "g1_"))
    contacts = arrays["con/" + line["seg"]][span].astype(float)
    return Clip(line["id"], place, turns, contacts, captions, line["split"], recorded, source)


def _with_our_elbows(turns):
    """Elbows that bend about the vertical of the T-pose, as Limber's do. No joint changes its place."""
    turns = turns.copy()
    for sign, (_, upper, lower, _) in zip((1, -1), body.ARMS):
        roll = r.exp(np.array([-sign * ELBOW_ROLL_RAD, 0, 0]))
        roll = np.broadcast_to(roll, turns[:, upper].shape)
        turns[:, upper] = r.multiply(turns[:, upper], roll)
        turns[:, lower] = r.multiply(r.multiply(r.inverse(roll), turns[:, lower]), roll)
    return turns


class Folder:
    """Clips that pass between Python and `rehearse`, see crates/limber-judge/examples/rehearse."""

    def __init__(self, path):
        path = self.path = Path(path)
        self.joints = json.loads((path / "skeleton.json").read_text())
        self._compare()
        width = 3 + 4 * len(self.joints) + 4
        self.rows = np.fromfile(path / "frames.f32", "<f4").reshape(-1, width)
        self.lines = [json.loads(line) for line in (path / "clips.jsonl").read_text().splitlines()]

    def _compare(self):
        for joint, name, above, place in zip(self.joints, body.NAMES, body.PARENTS, body.PLACES):
            same = joint["name"] == name and (joint["parent"] if above >= 0 else -1) == above
            if not same or np.abs(np.array(joint["place"]) - place).max() > 1e-5:
                raise SystemExit(f"the engine's skeleton has another `{name}` than body.py; bring them together")

    def made(self):
        """The lines of clips that the engine made."""
        return [line for line in self.lines if "refused" not in line]

    def clip(self, line):
        """The clip of a line."""
        rows = self.rows[line["start"]:line["start"] + line["frames"]].astype(float)
        turns = rows[:, 3:3 + 4 * 22].reshape(-1, 22, 4)[..., [3, 0, 1, 2]]
        return Clip(f"{line['say']}#{line['seed']}", rows[:, :3], r.smooth_signs(r.unit(turns)), rows[:, -4:],
                    [line["say"]], "engine", False, "engine")

    def write(self, path, changed):
        """The same folder with other motion: `changed` holds a clip per made line; fingers stay."""
        path = Path(path)
        path.mkdir(parents=True, exist_ok=True)
        rows, lines, start = [], [], 0
        for line, clip in zip(self.made(), changed):
            old = self.rows[line["start"]:line["start"] + line["frames"]].copy()
            old[:, :3] = clip.place
            old[:, 3:3 + 4 * 22] = clip.turns[..., [1, 2, 3, 0]].reshape(len(clip), -1)
            rows.append(old)
            lines.append({**line, "start": start})
            start += len(old)
        np.concatenate(rows).astype("<f4").tofile(path / "frames.f32")
        (path / "clips.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        (path / "skeleton.json").write_text(json.dumps(self.joints))
