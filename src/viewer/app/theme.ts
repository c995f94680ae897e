// Owns light and dark: the system's choice until somebody makes another.

export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

export function switchTheme(): void {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset["theme"] = theme;
  try {
    localStorage.setItem("entail-theme", theme);
  } catch {
    // It then holds until the page is left.
  }
}
