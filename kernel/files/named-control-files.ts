import { type ControlFileRule, ControlFiles, type ControlFilesOptions } from './control-files.ts';

/** Patterns of control files (see `ControlFileRule`). A function is called before each use, for patterns that depend on the current tools. */
export type ControlFilePatterns = string | (() => readonly string[]);

/** The control files that the plugins of one kernel declared. */
export class NamedControlFiles {
  readonly #named: { readonly patterns: () => readonly string[]; readonly rule: Omit<ControlFileRule, 'pattern'> }[] = [];
  #known: { readonly lists: readonly (readonly string[])[]; readonly files: ControlFiles } | undefined;

  add(plugin: string, patterns: ControlFilePatterns, { what, read = true }: ControlFilesOptions): void {
    const list = typeof patterns === 'string' ? [patterns] : [];
    this.#named.push({ patterns: typeof patterns === 'string' ? () => list : patterns, rule: { what, read, plugin } });
  }

  /** The current rules. Each call asks, and a plugin may have changed its own list, so the patterns are compared with a copy. */
  get current(): ControlFiles {
    const known = this.#known;
    const lists = this.#named.map(({ patterns }) => patterns());
    if (known?.lists.length === lists.length && lists.every((list, index) => areEqual(list, known.lists[index]))) return known.files;
    const files = new ControlFiles(this.#rulesOf(lists));
    this.#known = { lists: lists.map((list) => [...list]), files };
    return files;
  }

  #rulesOf(lists: readonly (readonly string[])[]): readonly ControlFileRule[] {
    return this.#named.flatMap(({ rule }, index) => (lists[index] ?? []).map((pattern) => ({ pattern, ...rule })));
  }
}

function areEqual(list: readonly string[], other: readonly string[] = []): boolean {
  return list.length === other.length && list.every((pattern, index) => pattern === other[index]);
}
