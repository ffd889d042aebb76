import type { Theme } from "../host";

/** Puts the chosen look on the page, and keeps following the desktop when that was chosen. */
export function applyTheme(theme: Theme): () => void {
  const light = matchMedia("(prefers-color-scheme: light)");
  const apply = (): void => {
    const look = theme === "system" ? (light.matches ? "light" : "dark") : theme;
    document.documentElement.dataset["theme"] = look;
  };
  apply();
  light.addEventListener("change", apply);
  return () => light.removeEventListener("change", apply);
}
