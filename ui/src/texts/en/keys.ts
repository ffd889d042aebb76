/** What stands on keys, where keyboards differ. */
export const keys = {
  Ctrl: "Ctrl",
  Shift: "Shift",
  Delete: "Delete",
  Space: "Space",
  Home: "Home",
  End: "End",
} as const;
