import type { Correction, CorrectionKey } from "../../../host";
import type { DraftEditor } from "../draft.svelte";
import { idOf } from "../object-ids";
import * as layers from "./layers";
import type { KeyId, LayerId, Layers } from "./layers";

/** Edits the corrections of a clip; every step can be undone in the editor's history. */
export class CorrectionEditor {
  /** Length of the whole clip. */
  readonly frames: number;
  private readonly draft: DraftEditor;
  private chosen = $state<KeyId | null>(null);

  readonly layers = $derived.by(() => this.draft.corrections);
  /** The selected key; null if undo has removed it. */
  readonly selected = $derived.by(() => (layers.keyOf(this.layers, this.chosen) ? this.chosen : null));
  readonly isFull = $derived.by(() => layers.keysIn(this.layers) >= layers.maxKeys);
  readonly hasMaxLayers = $derived.by(() => this.layers.length >= layers.maxLayers);
  readonly hasKeys = $derived.by(() => layers.keysIn(this.layers) > 0);

  /** Whether the corrections have a visible effect. */
  readonly isSeen = $derived.by(() => this.layers.some(({ muted, keys }) => !muted && keys.length > 0));

  constructor(draft: DraftEditor) {
    this.draft = draft;
    this.frames = draft.frames;
  }

  isSelected(key: KeyId): boolean {
    return this.selected === key;
  }

  /** Makes this the key that the editor's shortcuts act on. */
  select(key: KeyId | null): void {
    this.chosen = key;
    if (key !== null) this.draft.selected = null;
  }

  /** Adds a key to a layer, or to a new one, and selects it. Returns false if there is no room. */
  add(what: Correction, frame: number, layer: LayerId | null): boolean {
    const isNewLayer = !layers.layerOf(this.layers, layer);
    if (this.isFull || (isNewLayer && this.hasMaxLayers)) return false;
    const { layers: next, key } = layers.withAddedKey(this.layers, layer, layers.newKey(what, frame, this.frames));
    this.step(next);
    this.select(idOf(key));
    return true;
  }

  /** Selects the key of the same joint at a frame, if there is one. */
  selectAt(about: Correction, frame: number): void {
    const key = layers.shownKeyAt(this.layers, about, frame);
    this.select(key && idOf(key));
  }

  /**
   * Adds a change to what is shown at a frame, in the existing key or a new one. Returns false if
   * there is no room.
   */
  correctFurther(change: Correction, frame: number): boolean {
    const key = layers.shownKeyAt(this.layers, change, frame);
    if (!key) return this.add(change, frame, layers.layerForChange(this.layers, change, frame));
    this.change(idOf(key), { what: layers.combineCorrections(key.what, change) });
    this.select(idOf(key));
    return true;
  }

  /**
   * Changes a key. Returns false if the layer already has a key of the same joint at that frame.
   */
  change(key: KeyId, changes: Partial<CorrectionKey>, gesture: string | null = null): boolean {
    const next = layers.withKey(this.layers, key, changes);
    if (next) this.step(next, gesture && nameOf(gesture, key));
    return next !== null;
  }

  /** Moves a key to the free frame nearest to `wanted`, and returns that frame. */
  move(key: KeyId, wanted: number, gesture: string): number | null {
    const frame = layers.freeFrame(this.layers, key, wanted, this.frames);
    if (frame !== null) this.change(key, { frame }, gesture);
    return frame;
  }

  /** The key before or after a frame; null if there is none. */
  neighbour(frame: number, step: -1 | 1): KeyId | null {
    const key = layers.neighbour(this.layers, frame, this.selected, step);
    return key && idOf(key);
  }

  /** Whether a key can be moved to a frame. */
  isFree(key: KeyId, frame: number): boolean {
    return layers.withKey(this.layers, key, { frame }) !== null;
  }

  endGesture(): void {
    this.draft.endGesture();
  }

  /** Reverts the changes of a gesture in progress. */
  cancelGesture(key: KeyId, gesture: string): void {
    this.draft.cancelGesture(nameOf(gesture, key));
  }

  removeKey(key: KeyId): void {
    this.step(layers.withoutKey(this.layers, key));
    this.select(null);
  }

  removeLayer(layer: LayerId): void {
    this.step(layers.withoutLayer(this.layers, layer));
  }

  rename(layer: LayerId, name: string): void {
    this.step(layers.withLayer(this.layers, layer, { name: layers.cleanName(name) }));
  }

  mute(layer: LayerId, muted: boolean): void {
    this.step(layers.withLayer(this.layers, layer, { muted }));
  }

  private step(next: Layers, gesture: string | null = null): void {
    this.draft.correct(next, gesture);
  }
}

function nameOf(gesture: string, key: KeyId): string {
  return `${gesture}-of-${key}`;
}
