/**
 * A Svelte action that keeps content below a node in place: the node grows with its content and
 * keeps that height until it is `empty`.
 */
export function keepHeight(node: HTMLElement, empty: boolean) {
  let isEmpty = empty;
  const watcher = new ResizeObserver(() => {
    // a hidden node has no height
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
