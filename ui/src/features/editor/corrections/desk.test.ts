import { expect, test } from "vitest";
import type { CorrectionKey, CorrectionLayer } from "../../../host";
import { DraftEdit } from "../draft.svelte";
import { idOf } from "../identity";
import { rotationOf } from "./angles";
import { CorrectionDesk } from "./desk.svelte";
import { keyOf } from "./layers";

const nod = (frame: number): CorrectionKey => ({
  ...{ frame, before: 5, after: 5, ease: "smooth" },
  what: { kind: "rotate", joint: "head", rotation: rotationOf([10, 0, 0]) },
});
const layer = (name: string, ...keys: CorrectionKey[]): CorrectionLayer => ({ name, muted: false, keys });

function desk(...layers: CorrectionLayer[]) {
  const draft = new DraftEdit("clip", 150, null, layers);
  const desk = new CorrectionDesk(draft);
  const idAt = (layer: number, key: number) => idOf(desk.layers[layer]!.keys[key]!);
  const selectedFrame = () => keyOf(desk.layers, desk.selected)?.frame ?? null;
  return { draft, desk, idAt, selectedFrame };
}

test("the correction that is selected stays the same one when those below it go and come back", () => {
  const { draft, desk: edit, idAt, selectedFrame } = desk(layer("Low", nod(10), nod(20)), layer("High", nod(30), nod(40)));
  edit.select(idAt(1, 0));
  edit.removeLayer(idOf(edit.layers[0]!));
  expect(selectedFrame()).toBe(30);
  draft.undo();
  expect(selectedFrame()).toBe(30);
  edit.select(idAt(0, 1));
  draft.redo();
  expect(edit.selected).toBeNull();
  draft.undo();
  expect(selectedFrame()).toBe(20);
});

test("undo of a correction that was added before it selects no other one", () => {
  const { draft, desk: edit, idAt, selectedFrame } = desk(layer("", nod(50), nod(60)));
  const own = idOf(edit.layers[0]!);
  const what = nod(0).what;
  edit.add(what, 10, own);
  edit.select(idAt(0, 2));
  expect(selectedFrame()).toBe(60);
  draft.undo();
  expect(selectedFrame()).toBe(60);
  draft.redo();
  expect(selectedFrame()).toBe(60);
});

test("a correction that is changed and changed back is the same one, in each state", () => {
  const { draft, desk: edit, idAt, selectedFrame } = desk(layer("", nod(50)));
  edit.select(idAt(0, 0));
  edit.change(edit.selected!, { frame: 70 });
  edit.rename(idOf(edit.layers[0]!), "Nods");
  expect(selectedFrame()).toBe(70);
  draft.undo();
  draft.undo();
  expect(selectedFrame()).toBe(50);
});
