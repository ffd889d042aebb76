/** Labels of keys that differ between keyboards. */
export const keys = {
  Ctrl: "Ctrl",
  Shift: "Shift",
  Delete: "Delete",
  Backspace: "Backspace",
  Space: "Space",
  Home: "Home",
  End: "End",
} as const;
