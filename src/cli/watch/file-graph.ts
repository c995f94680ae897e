// Owns which eval files a change touches: what imports what, what else was read, and what the runs write themselves.

export type FileNews =
  /** The eval files of a run. */
  | { readonly kind: "evals"; readonly files: readonly string[] }
  /** One file imports another; nobody imports what the command itself loads. */
  | { readonly kind: "import"; readonly from: string | undefined; readonly to: string }
  /** A file that is no module was read, or written. */
  | { readonly kind: "read" | "wrote"; readonly file: string }
  /** What did not pass in a file, once its run is over. */
  | { readonly kind: "failed"; readonly file: string; readonly ids: readonly string[] };

export interface FileGraph {
  add(news: Extract<FileNews, { kind: "evals" | "import" | "read" | "wrote" }>): void;
  /** Forgets what the eval files given import, since they are about to say so again. */
  forget(evals: readonly string[]): void;
  /** Every file whose change would touch something. */
  watched(): ReadonlySet<string>;
  /** The eval files that a change of `file` touches: none, some, or all of them. */
  touched(file: string): readonly string[];
  evals(): readonly string[];
  /** True for what is loaded as code. */
  isModule(file: string): boolean;
}

export function createFileGraph(): FileGraph {
  let evals: readonly string[] = [];
  const imports = new Map<string, Set<string>>();
  /** Loaded by the command itself: the configuration, designs. All depends on them. */
  const roots = new Set<string>();
  const read = new Set<string>();
  const wrote = new Set<string>();

  const reach = (from: string, seen: Set<string>): Set<string> => {
    if (seen.has(from)) return seen;
    seen.add(from);
    for (const to of imports.get(from) ?? []) reach(to, seen);
    return seen;
  };

  return {
    add(news) {
      switch (news.kind) {
        case "evals":
          evals = [...new Set([...evals, ...news.files])];
          break;
        case "import": {
          if (news.from === undefined) {
            roots.add(news.to);
            break;
          }
          const known = imports.get(news.from);
          if (known === undefined) imports.set(news.from, new Set([news.to]));
          else known.add(news.to);
          break;
        }
        case "read":
          read.add(news.file);
          break;
        case "wrote":
          wrote.add(news.file);
          break;
        default:
          news satisfies never;
      }
    },
    forget(files) {
      const others = new Set(evals.filter((file) => !files.includes(file)).flatMap((file) => [...reach(file, new Set())]));
      for (const file of files) for (const from of reach(file, new Set())) if (!others.has(from)) imports.delete(from);
    },
    watched() {
      const all = new Set<string>([...evals, ...roots, ...read]);
      for (const [from, targets] of imports) {
        all.add(from);
        for (const to of targets) all.add(to);
      }
      for (const file of wrote) all.delete(file);
      return all;
    },
    touched(file) {
      if (wrote.has(file)) return [];
      const importers = evals.filter((each) => reach(each, new Set()).has(file));
      const bySelf = [...roots].some((root) => !evals.includes(root) && reach(root, new Set()).has(file));
      if (bySelf) return evals;
      if (importers.length > 0) return importers;
      return read.has(file) ? evals : [];
    },
    evals: () => evals,
    isModule: (file) => roots.has(file) || evals.includes(file) || [...imports.values()].some((targets) => targets.has(file)),
  };
}
