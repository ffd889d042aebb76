import type { Layer } from "../viewer-window.svelte";

/** The layers of the viewer that the viewport has too. */
export const viewportLayers = ["bones", "contacts"] as const satisfies Layer[];
export type ViewportLayer = (typeof viewportLayers)[number];

const isViewportLayer = (layer: Layer): layer is ViewportLayer => (viewportLayers as readonly Layer[]).includes(layer);

interface ViewerLayers {
  has(layer: Layer): boolean;
  toggle(layer: Layer): Promise<void>;
}

/** Which layers the viewport shows. While the viewer shows the clip too, both show the same layers. */
export class ViewportOverlays {
  /** Whether the viewport shows the clip. */
  isLive = $state(false);
  private shown = $state<Record<ViewportLayer, boolean>>({ bones: false, contacts: false });
  private readonly viewer: ViewerLayers;
  private readonly isViewerAttached: () => boolean;

  constructor(viewer: ViewerLayers, isViewerAttached: () => boolean) {
    this.viewer = viewer;
    this.isViewerAttached = isViewerAttached;
  }

  has(layer: ViewportLayer): boolean {
    return this.isViewerAttached() ? this.viewer.has(layer) : this.shown[layer];
  }

  /** Toggles a layer in the viewport; one that the viewport cannot show, in the viewer. */
  toggle(layer: Layer): void {
    if (this.isLive && !this.isViewerAttached() && isViewportLayer(layer)) this.shown[layer] = !this.shown[layer];
    else void this.viewer.toggle(layer);
  }
}
