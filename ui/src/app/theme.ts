import type { Theme } from "../host";

/**
 * Applies a theme to the page and follows the desktop if that was chosen. `onlight` is called with whether
 * the result is light.
 */
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
  for (const query of [contrast, light]) query.addEventListener("change", apply);
  return () => {
    for (const query of [contrast, light]) query.removeEventListener("change", apply);
  };
}

/** Stores the theme for the first paint of the next start, see `public/look.js`. */
function remember(look: string): void {
  try {
    localStorage.setItem("look", look);
  } catch {
    // without storage, the next start is dark
  }
}
