/** What stands on keys, where keyboards differ. */
export const keys = {
  Ctrl: "Ctrl",
  Shift: "Shift",
  Delete: "Delete",
  Backspace: "Backspace",
  Space: "Space",
  Home: "Home",
  End: "End",
} as const;
