import { tick } from "svelte";

/**
 * Call it when an element is about to be removed: if that contains the focus, the focus moves to
 * what `find` returns afterwards, so that keyboard users do not start at the top again.
 */
export async function moveFocusIfRemoved(find: () => HTMLElement | null | undefined): Promise<void> {
  const focused = document.activeElement;
  await tick();
  if (focused && focused !== document.body && !focused.isConnected) find()?.focus({ preventScroll: true });
}
