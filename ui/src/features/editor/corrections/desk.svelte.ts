import type { Correction, CorrectionKey } from "../../../host";
import type { DraftEdit } from "../draft.svelte";
import * as layers from "./layers";
import type { KeyPlace, Layers } from "./layers";

/** What somebody does to the corrections of a clip; every step can be taken back in the editor's history. */
export class CorrectionDesk {
  /** Of the whole clip. */
  readonly frames: number;
  private readonly draft: DraftEdit;
  private selected = $state.raw<KeyPlace | null>(null);

  readonly layers = $derived.by(() => this.draft.corrections);
  /** The key that is open; undo may have taken it away. */
  readonly place = $derived.by(() => (layers.keyAt(this.layers, this.selected) ? this.selected : null));
  readonly isFull = $derived.by(() => layers.keysIn(this.layers) >= layers.mostKeys);
  readonly hasMostLayers = $derived.by(() => this.layers.length >= layers.mostLayers);
  readonly hasKeys = $derived.by(() => layers.keysIn(this.layers) > 0);

  /** Whether they change what is seen. */
  readonly isSeen = $derived.by(() => this.layers.some(({ muted, keys }) => !muted && keys.length > 0));

  constructor(draft: DraftEdit) {
    this.draft = draft;
    this.frames = draft.frames;
  }

  isSelected(place: KeyPlace): boolean {
    return this.place?.layer === place.layer && this.place.key === place.key;
  }

  /** The keys of the editor mean this one from now on. */
  select(place: KeyPlace | null): void {
    this.selected = place;
    if (place) this.draft.selected = null;
  }

  /** Adds a key to a layer, a new one where there is none of that number, and selects it; whether there is room for it. */
  add(what: Correction, frame: number, layer: number): boolean {
    const isNewLayer = !this.layers[layer];
    if (this.isFull || (isNewLayer && this.hasMostLayers)) return false;
    const { layers: next, place } = layers.added(this.layers, layer, layers.newKey(what, frame, this.frames));
    this.step(next);
    this.select(place);
    return true;
  }

  /** Selects the key about the same at a frame, if there is one. */
  selectAt(about: Correction, frame: number): void {
    this.select(layers.placeAt(this.layers, about, frame));
  }

  /** Corrects what is shown at a frame further: by the key that is there, or by a new one; whether there is room for it. */
  correctFurther(change: Correction, frame: number): boolean {
    const place = layers.placeAt(this.layers, change, frame);
    const key = layers.keyAt(this.layers, place);
    if (place && key) {
      this.change(place, { what: layers.further(key.what, change) });
      this.select(place);
      return true;
    }
    const topmost = Math.max(this.layers.length - 1, 0);
    return this.add(change, frame, layers.layerForChange(this.layers, topmost, change, frame));
  }

  /** Answers whether that is possible: a layer says one thing about the same at one frame. */
  change(place: KeyPlace, changes: Partial<CorrectionKey>, gesture: string | null = null): boolean {
    const next = layers.withKey(this.layers, place, changes);
    if (next) this.step(next, gesture && `${gesture}-of-${place.layer}-${place.key}`);
    return next !== null;
  }

  endGesture(): void {
    this.draft.endGesture();
  }

  removeKey(place: KeyPlace): void {
    this.step(layers.withoutKey(this.layers, place));
    this.select(null);
  }

  removeLayer(layer: number): void {
    this.step(layers.withoutLayer(this.layers, layer));
    this.select(null);
  }

  rename(layer: number, name: string): void {
    this.step(layers.withLayer(this.layers, layer, { name: layers.cleanName(name) }));
  }

  mute(layer: number, muted: boolean): void {
    this.step(layers.withLayer(this.layers, layer, { muted }));
  }

  private step(next: Layers, gesture: string | null = null): void {
    this.draft.correct(next, gesture);
  }
}
