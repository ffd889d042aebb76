/**
 * A Svelte action: what a node holds may come and go, and what stands below the node stays where it is. It
 * grows with what it holds and keeps that height until it is `empty`.
 */
export function steady(node: HTMLElement, empty: boolean) {
  let isEmpty = empty;
  const watcher = new ResizeObserver(() => {
    // while it is hidden it has no height
    if (!isEmpty && node.offsetHeight > 0) node.style.minHeight = `${node.offsetHeight}px`;
  });
  watcher.observe(node);
  return {
    update(now: boolean) {
      isEmpty = now;
      if (isEmpty) node.style.minHeight = "";
    },
    destroy: () => watcher.disconnect(),
  };
}
