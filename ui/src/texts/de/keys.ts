import type { en } from "../en";
import type { Translation } from "../translation";

export const keys: Translation<typeof en.keys> = {
  Ctrl: "Strg",
  Shift: "Umschalt",
  Delete: "Entf",
  Backspace: "Rücktaste",
  Space: "Leertaste",
  Home: "Pos1",
  End: "Ende",
};
