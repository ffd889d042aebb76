import { describe, expect, it } from "vitest";
import { DraftEdit, untouched } from "./draft.svelte";

const draft = () => new DraftEdit("clip", 100);

describe("trimming", () => {
  it("keeps at least two frames, whichever handle is pulled", () => {
    const edit = draft();
    edit.trimEnd(40);
    edit.trimStart(90);
    expect(edit.part).toEqual({ id: "clip", trimLeft: 38, trimRight: 60 });
    edit.trimEnd(0);
    expect(edit.end).toBe(40);
  });

  it("is one step back for one drag", () => {
    const edit = draft();
    edit.trimStart(10);
    for (const frame of [11, 12, 13]) edit.trimStart(frame, "drag");
    edit.endGesture();
    edit.undo();
    expect(edit.start).toBe(10);
    edit.undo();
    expect(edit.start).toBe(0);
    expect(edit.canUndo).toBe(false);
    edit.redo();
    edit.redo();
    expect(edit.start).toBe(13);
    expect(edit.canRedo).toBe(false);
  });

  it("is no step when a drag ends where it began", () => {
    const edit = draft();
    edit.trimStart(10);
    for (const frame of [11, 12, 10]) edit.trimStart(frame, "drag");
    edit.undo();
    expect([edit.start, edit.canUndo]).toEqual([0, false]);
    edit.trimStart(10);
    for (const frame of [11, 10, 12]) edit.trimStart(frame, "drag");
    edit.undo();
    expect([edit.start, edit.canUndo]).toEqual([10, true]);
  });

  it("forgets what was taken back once something new is done", () => {
    const edit = draft();
    edit.trimStart(10);
    edit.undo();
    edit.trimStart(20);
    expect(edit.canRedo).toBe(false);
  });
});

describe("what is chosen for a join", () => {
  it("stands in one history with everything else, and is not kept with the clip", () => {
    const edit = draft();
    edit.join({ by: "overlap" });
    edit.trimStart(10);
    for (const overlapSeconds of [0.6, 0.7, 0.8]) edit.join({ overlapSeconds }, "overlap");
    edit.endGesture();
    edit.undo();
    expect([edit.joining.overlapSeconds, edit.start]).toEqual([0.5, 10]);
    edit.undo();
    expect([edit.joining.by, edit.start]).toEqual(["overlap", 0]);
    expect(edit.kept).toBeNull();
    edit.undo();
    expect([edit.joining.by, edit.canUndo]).toEqual(["bridge", false]);
    for (let step = 0; step < 3; step += 1) edit.redo();
    expect([edit.joining.overlapSeconds, edit.start, edit.canRedo]).toEqual([0.8, 10, false]);
  });

  it("is no step when nothing changes", () => {
    const edit = draft();
    edit.join({ by: "bridge" });
    expect(edit.canUndo).toBe(false);
  });
});

describe("painting", () => {
  it("takes the frame of both presses in, in either order", () => {
    const edit = draft();
    edit.paintAt(30);
    edit.paintAt(20);
    expect(edit.now.painted).toEqual([{ span: { start: 20, end: 31 }, prompt: "" }]);
    expect(edit.selected).toBe(0);
  });

  it("never paints a frame twice", () => {
    const edit = draft();
    edit.paint({ start: 20, end: 40 });
    edit.paint({ start: 10, end: 30 });
    edit.paint({ start: 35, end: 60 });
    expect(edit.paint({ start: 22, end: 38 })).toBe(false);
    expect(edit.now.painted.map(({ span }) => span)).toEqual([
      { start: 10, end: 20 },
      { start: 20, end: 40 },
      { start: 40, end: 60 },
    ]);
  });

  it("does not push an interval into its neighbour", () => {
    const edit = draft();
    edit.paint({ start: 20, end: 40 });
    edit.paint({ start: 50, end: 60 });
    edit.resize(0, "end", 90);
    edit.resize(1, "start", 0);
    edit.resize(0, "start", 70);
    expect(edit.now.painted.map(({ span }) => span)).toEqual([
      { start: 49, end: 50 },
      { start: 50, end: 60 },
    ]);
  });

  it("keeps the same interval selected when the history moves it to another place", () => {
    const edit = draft();
    edit.paint({ start: 50, end: 60 });
    edit.reword(0, "bow");
    edit.paint({ start: 10, end: 20 });
    edit.selected = 1;
    edit.undo();
    expect([edit.selected, edit.now.painted[0]?.prompt]).toEqual([0, "bow"]);
    edit.redo();
    expect([edit.selected, edit.now.painted[1]?.prompt]).toEqual([1, "bow"]);
    for (let step = 0; step < 3; step += 1) edit.undo();
    expect(edit.selected).toBeNull();
  });

  it("groups spans by their words, and leaves out what is cut off", () => {
    const edit = draft();
    edit.paint({ start: 5, end: 20 });
    edit.paint({ start: 30, end: 40 });
    edit.paint({ start: 90, end: 99 });
    edit.reword(0, "wave");
    edit.reword(1, "bow");
    edit.reword(2, " wave ");
    edit.trimStart(10);
    expect(edit.spansLike(0)).toEqual([
      { start: 10, end: 20 },
      { start: 90, end: 99 },
    ]);
    edit.trimEnd(80);
    expect(edit.spansLike(2)).toEqual([{ start: 10, end: 20 }]);
  });
});

describe("keeping", () => {
  it("has nothing to keep before anything was changed, nor after all was taken back", () => {
    const edit = draft();
    expect(edit.kept).toBeNull();
    edit.trimStart(10);
    expect(edit.kept).toMatchObject({ trimLeft: 10 });
    edit.undo();
    expect(edit.kept).toBeNull();
  });

  it("takes a draft up that was kept for more frames than there are", () => {
    const kept = { ...untouched(), trimRight: 500, painted: [{ span: { start: 90, end: 200 }, prompt: "x" }] };
    const edit = new DraftEdit("clip", 100, kept);
    expect(edit.end).toBe(2);
    expect(edit.now.painted[0]?.span).toEqual({ start: 90, end: 100 });
  });
});
