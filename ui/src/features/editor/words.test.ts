import { describe, expect, it } from "vitest";
import { exampleClip } from "../../host/fake-examples";
import { DraftEdit } from "./draft.svelte";
import { creativityWords, EditForm } from "./form.svelte";
import { badges, qualityLine } from "../../shared/quality";
import { versions } from "./versions";

describe("quality", () => {
  const quality = { footSkateCmS: 0.1, penetrationMm: 1, floatMm: 2, loopDeg: null };

  it("is told in words for each of feet, floor and loop", () => {
    expect(badges(quality, true).map((badge) => badge.words)).toEqual(["no sliding", "good", "unknown"]);
    const bad = badges({ footSkateCmS: 0.84, penetrationMm: 12, floatMm: 2, loopDeg: 14 }, true);
    expect(bad.map((badge) => badge.words)).toEqual(["sliding at 0.8 cm/s", "12 mm too low", "14° off"]);
  });

  it("is told in one line without numbers", () => {
    expect(qualityLine(quality, true).signs).toBe("✓ Feet   ✓ Floor   – Loop");
    const bad = qualityLine({ footSkateCmS: 0.84, penetrationMm: 12, floatMm: 2, loopDeg: 14 }, true);
    expect(bad.spoken).toBe("Feet: sliding, Floor: poor, Loop: not seamless");
  });

  it("says nothing of the seam of a clip that is not meant to loop", () => {
    const open = { ...quality, loopDeg: 14 };
    expect(badges(open, false).map((badge) => badge.name)).toEqual(["Feet", "Floor"]);
    expect(qualityLine(open, false)).toEqual({ signs: "✓ Feet   ✓ Floor", spoken: "Feet: no sliding, Floor: good" });
  });

  it("claims nothing of clips that do not say", () => {
    expect(badges(null, false)).toMatchObject([{ words: "not measured" }]);
  });
});

describe("versions", () => {
  const clip = (id: string, madeFrom: string[], hour: number) => ({
    ...exampleClip(1),
    id,
    madeFrom,
    madeAt: `2026-01-01T0${hour}:00:00Z`,
  });
  const told = (id: string, clips: ReturnType<typeof clip>[]) =>
    versions(id, clips).map((version) => `${"-".repeat(version.depth)}${version.clip.id}`);

  it("lead back to the oldest and on to all that was made of it", () => {
    const clips = [clip("d", ["b"], 4), clip("c", ["a"], 3), clip("b", ["a"], 2), clip("a", [], 1), clip("x", [], 1)];
    expect(told("d", clips)).toEqual(["a", "-b", "--d", "-c"]);
  });

  it("say what a join took in, and what is not there any more", () => {
    const joined = clip("j", ["a", "x"], 2);
    const tree = versions("j", [clip("a", [], 1), clip("x", [], 1), joined, clip("o", ["gone"], 1)]);
    expect(tree[1]?.joinedWith?.id).toBe("x");
    expect(versions("o", [clip("o", ["gone"], 1)])[0]?.lost).toBe(1);
  });

  it("end even when clips name each other", () => {
    expect(told("a", [clip("a", ["b"], 1), clip("b", ["a"], 2)])).toHaveLength(2);
  });
});

describe("a request", () => {
  const draft = () => new DraftEdit("clip", 90);

  it("says what is missing before it can be made", () => {
    const form = new EditForm();
    const edit = draft();
    expect(form.missing(edit)).toMatch(/Mark an interval/);
    edit.paint({ start: 10, end: 20 });
    expect(form.missing(edit)).toMatch(/Enter a prompt/);
    expect(form.request(edit)).toBeNull();
    edit.reword(0, "waves");
    expect(form.request(edit)?.change).toEqual({
      kind: "paint",
      prompt: "waves",
      spans: [{ start: 10, end: 20 }],
    });
  });

  it("carries the trim, and leaves travel alone unless it is taken out", () => {
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

  it("tells creativity in plain words", () => {
    expect([0, 0.3, 1].map(creativityWords)).toEqual(["Almost the same", "A little different", "Completely different"]);
  });
});
