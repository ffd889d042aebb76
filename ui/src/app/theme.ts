import type { Theme } from "../host";

/** Puts the chosen look on the page, and keeps following the desktop when that was chosen. `onlight` hears whether it is a light one. */
export function applyTheme(theme: Theme, onlight: (light: boolean) => void): () => void {
  const contrast = matchMedia("(prefers-contrast: more)");
  const light = matchMedia("(prefers-color-scheme: light)");
  const apply = (): void => {
    const desktop = contrast.matches ? "contrast" : light.matches ? "light" : "dark";
    const look = theme === "system" ? desktop : theme;
    document.documentElement.dataset["theme"] = look;
    remember(look);
    onlight(look === "light");
  };
  apply();
  for (const wish of [contrast, light]) wish.addEventListener("change", apply);
  return () => {
    for (const wish of [contrast, light]) wish.removeEventListener("change", apply);
  };
}

/** For the first picture of the next start, which `public/look.js` sees to. */
function remember(look: string): void {
  try {
    localStorage.setItem("look", look);
  } catch {
    // without storage it begins dark
  }
}
