"""Fields of an event that the reader predicts: the enumerations of the motion script, read from its schema."""

import json
import tomllib
from pathlib import Path

# numbers that are expressed in words ("hugely", "softly") are predicted as one of these classes
FACTORS = {"size": [0.5, 1.5, 2.0], "force": [0.5, 1.5, 2.0], "speed": [0.4, 0.6, 1.5, 2.0]}
ENUMS = {
    "side": "Side", "direction": "Direction", "height": "Height", "posture": "Posture",
    "posture_after": "Posture", "path": "Path", "target": "Target", "target_part": "BodyPart",
    "target_side": "Side", "prop": "Prop", "part": "BodyPart", "move": "Verb", "rhythm": "Rhythm",
    "speed_curve": "SpeedCurve", "target_size": "SizeClass",
}
# numbers written in the text: the reader only locates them, and rules parse them
NUMBERS = ["count", "steps", "beat", "seconds", "meters", "degrees", "bpm", "height_m", "target_distance_m"]
LISTS = ["manners", "still"]
# fields that refer to another event
REFERENCES = ["while", "as_soon_as", "beat_of", "continues", "until"]
TAGS = [*(f for f in ENUMS if f != "move"), *FACTORS, *NUMBERS, *LISTS, "avoid", *REFERENCES]
CLIP = {"start": ["idle", "action"], "end": ["idle", "hold", "action"], "loop": [False, True]}
BODY = "(body)"


class Fields:
    """The enumerations, with their members in a fixed order."""

    def __init__(self, root: Path, schema: dict):
        lists = {name: known["enum"] for name, known in schema["$defs"].items() if "enum" in known}
        self.values = {field: lists[name] for field, name in ENUMS.items()} | FACTORS
        manners = schema["$defs"]["Event"]["properties"]["manners"]["properties"]
        self.lists = {"manners": list(manners), "still": lists["BodyPart"]}
        actions, self.phrases = [], {}
        for file in sorted(root.glob("assets/lexicon/actions/*.toml")):
            for row in tomllib.loads(file.read_text(encoding="utf-8"))["action"]:
                actions.append(row["action"])
                # an action defined by its senses alone has no phrases of its own
                self.phrases[row["action"]] = row.get("phrases", [])
        for file in sorted(root.glob("assets/lexicon/senses/*.toml")):
            for row in tomllib.loads(file.read_text(encoding="utf-8"))["senses"]:
                actions.append(row["sense"])
                self.phrases[row["sense"]] = row["phrases"]
        self.senses = [BODY, *actions]
        self.sense_ids = {name: number for number, name in enumerate(self.senses)}

    def class_of(self, field: str, value) -> int:
        """Class of a field's value; 0 means that the field is not set."""
        if field in FACTORS:
            nearest = min(FACTORS[field], key=lambda known: abs(known - value))
            return 0 if value == 1 else 1 + FACTORS[field].index(nearest)
        return 1 + self.values[field].index(value)


def read_schema(file: Path) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))
