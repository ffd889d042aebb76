import type { Correction, CorrectionKey } from "../../../host";
import type { DraftEdit } from "../draft.svelte";
import { idOf } from "../identity";
import * as layers from "./layers";
import type { KeyId, LayerId, Layers } from "./layers";

/** What somebody does to the corrections of a clip; every step can be taken back in the editor's history. */
export class CorrectionDesk {
  /** Of the whole clip. */
  readonly frames: number;
  private readonly draft: DraftEdit;
  private chosen = $state<KeyId | null>(null);

  readonly layers = $derived.by(() => this.draft.corrections);
  /** The key that is open; undo may have taken it away. */
  readonly selected = $derived.by(() => (layers.keyOf(this.layers, this.chosen) ? this.chosen : null));
  readonly isFull = $derived.by(() => layers.keysIn(this.layers) >= layers.mostKeys);
  readonly hasMostLayers = $derived.by(() => this.layers.length >= layers.mostLayers);
  readonly hasKeys = $derived.by(() => layers.keysIn(this.layers) > 0);

  /** Whether they change what is seen. */
  readonly isSeen = $derived.by(() => this.layers.some(({ muted, keys }) => !muted && keys.length > 0));

  constructor(draft: DraftEdit) {
    this.draft = draft;
    this.frames = draft.frames;
  }

  isSelected(key: KeyId): boolean {
    return this.selected === key;
  }

  /** The keys of the editor mean this one from now on. */
  select(key: KeyId | null): void {
    this.chosen = key;
    if (key !== null) this.draft.selected = null;
  }

  /** Adds a key to a layer, a new one where there is no such layer, and selects it; whether there is room for it. */
  add(what: Correction, frame: number, layer: LayerId | null): boolean {
    const isNewLayer = !layers.layerOf(this.layers, layer);
    if (this.isFull || (isNewLayer && this.hasMostLayers)) return false;
    const { layers: next, key } = layers.added(this.layers, layer, layers.newKey(what, frame, this.frames));
    this.step(next);
    this.select(idOf(key));
    return true;
  }

  /** Selects the key about the same at a frame, if there is one. */
  selectAt(about: Correction, frame: number): void {
    const key = layers.shownKeyAt(this.layers, about, frame);
    this.select(key && idOf(key));
  }

  /** Corrects what is shown at a frame further: by the key that is there, or by a new one; whether there is room for it. */
  correctFurther(change: Correction, frame: number): boolean {
    const key = layers.shownKeyAt(this.layers, change, frame);
    if (!key) return this.add(change, frame, layers.layerForChange(this.layers, change, frame));
    this.change(idOf(key), { what: layers.further(key.what, change) });
    this.select(idOf(key));
    return true;
  }

  /** Answers whether that is possible: a layer says one thing about the same at one frame. */
  change(key: KeyId, changes: Partial<CorrectionKey>, gesture: string | null = null): boolean {
    const next = layers.withKey(this.layers, key, changes);
    if (next) this.step(next, gesture && nameOf(gesture, key));
    return next !== null;
  }

  /** Whether a key can be moved to a frame. */
  isFree(key: KeyId, frame: number): boolean {
    return layers.withKey(this.layers, key, { frame }) !== null;
  }

  endGesture(): void {
    this.draft.endGesture();
  }

  /** Takes back what a gesture has changed of a key, if it is under way. */
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
