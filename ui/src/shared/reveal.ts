/** A Svelte action: scrolls a new element into view, as little as needed. */
export function reveal(node: HTMLElement): void {
  node.style.scrollMargin = "1rem";
  node.scrollIntoView?.({ block: "nearest" });
}
