/** A Svelte action: scrolls what has just come into sight, as little as needed. */
export function reveal(node: HTMLElement): void {
  node.style.scrollMargin = "1rem";
  node.scrollIntoView?.({ block: "nearest" });
}
