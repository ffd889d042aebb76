import { describe, expect, it } from "vitest";
import { DraftEditor, emptyDraft } from "./draft.svelte";

const draft = () => new DraftEditor("clip", 100);

describe("trimming", () => {
  it("keeps at least two frames, whichever handle is moved", () => {
    const edit = draft();
    edit.trimEnd(40);
    edit.trimStart(90);
    expect(edit.part).toEqual({ id: "clip", trimLeft: 38, trimRight: 60 });
    edit.trimEnd(0);
    expect(edit.end).toBe(40);
  });

  it("is one undo step per drag", () => {
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

  it("is no undo step if a drag ends where it began", () => {
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

  it("discards redo steps after a new change", () => {
    const edit = draft();
    edit.trimStart(10);
    edit.undo();
    edit.trimStart(20);
    expect(edit.canRedo).toBe(false);
  });
});

describe("the settings of a join", () => {
  it("share the history with everything else, and are not saved with the clip", () => {
    const edit = draft();
    edit.join({ by: "overlap" });
    edit.trimStart(10);
    for (const overlapSeconds of [0.6, 0.7, 0.8]) edit.join({ overlapSeconds }, "overlap");
    edit.endGesture();
    edit.undo();
    expect([edit.joining.overlapSeconds, edit.start]).toEqual([0.5, 10]);
    edit.undo();
    expect([edit.joining.by, edit.start]).toEqual(["overlap", 0]);
    expect(edit.toSave).toBeNull();
    edit.undo();
    expect([edit.joining.by, edit.canUndo]).toEqual(["bridge", false]);
    for (let step = 0; step < 3; step += 1) edit.redo();
    expect([edit.joining.overlapSeconds, edit.start, edit.canRedo]).toEqual([0.8, 10, false]);
  });

  it("add no step when nothing changes", () => {
    const edit = draft();
    edit.join({ by: "bridge" });
    expect(edit.canUndo).toBe(false);
  });
});

describe("intervals to regenerate", () => {
  it("include the frames of both presses, in either order", () => {
    const edit = draft();
    edit.paintAt(30);
    edit.paintAt(20);
    expect(edit.now.painted).toEqual([{ span: { start: 20, end: 31 }, prompt: "" }]);
    expect(edit.selected).toBe(0);
  });

  it("never overlap", () => {
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

  it("stop at their neighbours when resized", () => {
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

  it("keep the selection when the history moves them", () => {
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

  it("are grouped by prompt, without what is trimmed off", () => {
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

describe("saving", () => {
  it("has nothing to save before a change or after undoing all changes", () => {
    const edit = draft();
    expect(edit.toSave).toBeNull();
    edit.trimStart(10);
    expect(edit.toSave).toMatchObject({ trimLeft: 10 });
    edit.undo();
    expect(edit.toSave).toBeNull();
  });

  it("fits a draft saved for a longer clip to the current length", () => {
    const savedDraft = { ...emptyDraft(), trimRight: 500, painted: [{ span: { start: 90, end: 200 }, prompt: "x" }] };
    const edit = new DraftEditor("clip", 100, savedDraft);
    expect(edit.end).toBe(2);
    expect(edit.now.painted[0]?.span).toEqual({ start: 90, end: 100 });
  });
});
