import { tick } from "svelte";

/**
 * Call it where something is about to leave the page: if it takes the focus along, that goes on to what `find` gives
 * afterwards, so that whoever uses the keyboard does not begin at the top again.
 */
export async function handFocusOn(find: () => HTMLElement | null | undefined): Promise<void> {
  const focused = document.activeElement;
  await tick();
  if (focused && focused !== document.body && !focused.isConnected) find()?.focus({ preventScroll: true });
}
