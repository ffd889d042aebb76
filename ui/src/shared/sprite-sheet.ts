/** The position of a cell in a sprite sheet, as CSS `background-position`. */
export function cellPosition(cell: number, columns: number, rows: number): string {
  const column = cell % columns;
  const row = Math.floor(cell / columns);
  const x = columns > 1 ? (100 * column) / (columns - 1) : 0;
  const y = rows > 1 ? (100 * row) / (rows - 1) : 0;
  return `${x}% ${y}%`;
}

/** The cell of a picture that shows a frame of the clip it was made from. */
export function spriteCellAt(frame: number, clipFrames: number, cells: number): number {
  const cell = Math.floor(((frame + 0.5) / Math.max(clipFrames, 1)) * cells);
  return Math.min(Math.max(cell, 0), Math.max(cells - 1, 0));
}
