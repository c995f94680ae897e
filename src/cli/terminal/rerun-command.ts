// Owns the command that runs again what failed, ready to be copied.

/** What a shell takes as it is. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** One word of a command for a POSIX shell; PowerShell reads the same quotes. */
export function shellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export interface Rerun {
  /** `npx entail run` or `node`. */
  readonly command: string;
  /** Flags that a second run needs to be the same. */
  readonly flags: readonly string[];
}

export function rerunCommand({ command, flags }: Rerun, file: string, scenarios: readonly string[]): string {
  return [command, shellWord(file), ...scenarios.flatMap((id) => ["--scenario", shellWord(id)]), ...flags.map(shellWord)].join(" ");
}
