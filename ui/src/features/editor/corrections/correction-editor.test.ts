import { expect, test } from "vitest";
import type { CorrectionKey, CorrectionLayer } from "../../../host";
import { DraftEditor } from "../draft.svelte";
import { idOf } from "../object-ids";
import { rotationOf } from "./angles";
import { CorrectionEditor } from "./correction-editor.svelte";
import { keyOf } from "./layers";

const nod = (frame: number): CorrectionKey => ({
  ...{ frame, before: 5, after: 5, ease: "smooth" },
  what: { kind: "rotate", joint: "head", rotation: rotationOf([10, 0, 0]) },
});
const layer = (name: string, ...keys: CorrectionKey[]): CorrectionLayer => ({ name, muted: false, keys });

function correctionEditor(...layers: CorrectionLayer[]) {
  const draft = new DraftEditor("clip", 150, null, layers);
  const correctionEditor = new CorrectionEditor(draft);
  const idAt = (layer: number, key: number) => idOf(correctionEditor.layers[layer]!.keys[key]!);
  const selectedFrame = () => keyOf(correctionEditor.layers, correctionEditor.selected)?.frame ?? null;
  return { draft, correctionEditor, idAt, selectedFrame };
}

test("the selection is stable when corrections below are removed and restored", () => {
  const { draft, correctionEditor: edit, idAt, selectedFrame } = correctionEditor(layer("Low", nod(10), nod(20)), layer("High", nod(30), nod(40)));
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

test("undo of an earlier addition does not change the selection", () => {
  const { draft, correctionEditor: edit, idAt, selectedFrame } = correctionEditor(layer("", nod(50), nod(60)));
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

test("a correction keeps its identity through changes", () => {
  const { draft, correctionEditor: edit, idAt, selectedFrame } = correctionEditor(layer("", nod(50)));
  edit.select(idAt(0, 0));
  edit.change(edit.selected!, { frame: 70 });
  edit.rename(idOf(edit.layers[0]!), "Nods");
  expect(selectedFrame()).toBe(70);
  draft.undo();
  draft.undo();
  expect(selectedFrame()).toBe(50);
});
