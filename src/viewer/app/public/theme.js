// Runs before the first paint: the page never shows the other theme for a moment.
(() => {
  try {
    const chosen = localStorage.getItem("entail-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // A browser that keeps nothing follows the system.
  }
})();
