// Owns what is told to those who listen instead of look, and copying.

/** Read out by a screen reader, and shown nowhere else. */
export function say(text: string): void {
  const line = document.getElementById("say");
  if (line === null) return;
  line.textContent = "";
  requestAnimationFrame(() => {
    line.textContent = text;
  });
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    say("The browser does not let this page copy");
  }
}
