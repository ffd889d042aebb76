import { describe, expect, it } from "vitest";
import { exampleClip } from "../../host/fake-examples";
import { DraftEditor } from "./draft.svelte";
import { creativityLabel, EditForm } from "./edit-form.svelte";
import { badges, qualityLine } from "../../shared/quality";
import { versionTree } from "./version-tree";

describe("quality badges", () => {
  const quality = { footSkateCmS: 0.1, penetrationMm: 1, floatMm: 2, loopDeg: null };

  it("describe feet, floor and loop", () => {
    expect(badges(quality, true).map((badge) => badge.words)).toEqual(["no sliding", "good", "unknown"]);
    const bad = badges({ footSkateCmS: 0.84, penetrationMm: 12, floatMm: 2, loopDeg: 14 }, true);
    expect(bad.map((badge) => badge.words)).toEqual(["sliding at 0.8 cm/s", "12 mm too low", "14° off"]);
  });

  it("have a short form without numbers", () => {
    expect(qualityLine(quality, true).symbols).toBe("✓ Feet   ✓ Floor   – Loop");
    const bad = qualityLine({ footSkateCmS: 0.84, penetrationMm: 12, floatMm: 2, loopDeg: 14 }, true);
    expect(bad.spoken).toBe("Feet: sliding, Floor: poor, Loop: not seamless");
  });

  it("omit the loop for clips that are not meant to loop", () => {
    const open = { ...quality, loopDeg: 14 };
    expect(badges(open, false).map((badge) => badge.name)).toEqual(["Feet", "Floor"]);
    expect(qualityLine(open, false)).toEqual({ symbols: "✓ Feet   ✓ Floor", spoken: "Feet: no sliding, Floor: good" });
  });

  it("report unknown quality as unmeasured", () => {
    expect(badges(null, false)).toMatchObject([{ words: "not measured" }]);
  });
});

describe("the version tree", () => {
  const clip = (id: string, madeFrom: string[], hour: number) => ({
    ...exampleClip(1),
    id,
    madeFrom,
    madeAt: `2026-01-01T0${hour}:00:00Z`,
  });
  const treeOf = (id: string, clips: ReturnType<typeof clip>[]) =>
    versionTree(id, clips).map((version) => `${"-".repeat(version.depth)}${version.clip.id}`);

  it("contains the oldest ancestor and all its descendants", () => {
    const clips = [clip("d", ["b"], 4), clip("c", ["a"], 3), clip("b", ["a"], 2), clip("a", [], 1), clip("x", [], 1)];
    expect(treeOf("d", clips)).toEqual(["a", "-b", "--d", "-c"]);
  });

  it("shows the second clip of a join, and deleted parents", () => {
    const joined = clip("j", ["a", "x"], 2);
    const tree = versionTree("j", [clip("a", [], 1), clip("x", [], 1), joined, clip("o", ["gone"], 1)]);
    expect(tree[1]?.joinedWith?.id).toBe("x");
    expect(versionTree("o", [clip("o", ["gone"], 1)])[0]?.deletedParents).toBe(1);
  });

  it("terminates even if clips refer to each other", () => {
    expect(treeOf("a", [clip("a", ["b"], 1), clip("b", ["a"], 2)])).toHaveLength(2);
  });
});

describe("an edit request", () => {
  const draft = () => new DraftEditor("clip", 90);

  it("says what is missing", () => {
    const form = new EditForm();
    const edit = draft();
    expect(form.blockedReason(edit)).toMatch(/Mark an interval/);
    edit.paint({ start: 10, end: 20 });
    expect(form.blockedReason(edit)).toMatch(/Enter a prompt/);
    expect(form.request(edit)).toBeNull();
    edit.reword(0, "waves");
    expect(form.request(edit)?.change).toEqual({
      kind: "paint",
      prompt: "waves",
      spans: [{ start: 10, end: 20 }],
    });
  });

  it("contains the trim, and in-place only if it is set", () => {
    const form = new EditForm();
    const edit = draft();
    form.action = "cut";
    form.variants = 4;
    edit.trimStart(10);
    expect(form.request(edit)).toEqual({
      clip: { id: "clip", trimLeft: 10, trimRight: 0 },
      change: { kind: "cut" },
      variants: 1,
      inPlace: null,
    });
    edit.change({ inPlace: true });
    expect(form.request(edit)?.inPlace).toBe(true);
  });

  it("describes creativity in plain words", () => {
    expect([0, 0.3, 1].map(creativityLabel)).toEqual(["Almost the same", "A little different", "Completely different"]);
  });
});
