// Runs before the first paint, so that the page starts in the theme of the last start (theme.ts).
(() => {
  let look = null;
  try {
    look = localStorage.getItem("look");
  } catch {
    // without storage, the page starts in the default theme, which is dark
  }
  document.documentElement.dataset.theme = ["light", "contrast"].includes(look) ? look : "dark";
})();
