// Runs before the first picture is painted, so that the page begins in the look that it had last (theme.ts).
(() => {
  let look = null;
  try {
    look = localStorage.getItem("look");
  } catch {
    // a web view without storage begins dark, as Limber does
  }
  document.documentElement.dataset.theme = ["light", "contrast"].includes(look) ? look : "dark";
})();
