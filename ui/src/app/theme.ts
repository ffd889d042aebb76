import type { Theme } from "../host";

/** Puts the chosen look on the page, and keeps following the desktop when that was chosen. */
export function applyTheme(theme: Theme): () => void {
  const contrast = matchMedia("(prefers-contrast: more)");
  const light = matchMedia("(prefers-color-scheme: light)");
  const apply = (): void => {
    const desktop = contrast.matches ? "contrast" : light.matches ? "light" : "dark";
    document.documentElement.dataset["theme"] = theme === "system" ? desktop : theme;
  };
  apply();
  for (const wish of [contrast, light]) wish.addEventListener("change", apply);
  return () => {
    for (const wish of [contrast, light]) wish.removeEventListener("change", apply);
  };
}
