/** A Svelte action: scrolls a new element into view, as little as needed. */
export function scrollIntoView(node: HTMLElement): void {
  node.style.scrollMargin = "1rem";
  node.scrollIntoView?.({ block: "nearest" });
}
