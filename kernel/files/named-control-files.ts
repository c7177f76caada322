import { type ControlFileRule, ControlFiles, type ControlFilesOptions } from './control-files.ts';

/** Patterns of control files (see `ControlFileRule`). A function is called before each use, for patterns that depend on the current tools. */
export type ControlFilePatterns = string | (() => readonly string[]);

/** The control files that the plugins of one kernel declared. */
export class NamedControlFiles {
  readonly #named: { readonly patterns: () => readonly string[]; readonly rule: Omit<ControlFileRule, 'pattern'> }[] = [];
  #known: { readonly key: string; readonly files: ControlFiles } | undefined;

  add(plugin: string, patterns: ControlFilePatterns, { what, read = true }: ControlFilesOptions): void {
    this.#named.push({ patterns: typeof patterns === 'string' ? () => [patterns] : patterns, rule: { what, read, plugin } });
  }

  /** The current rules. */
  get current(): ControlFiles {
    const rules = this.#named.flatMap(({ patterns, rule }) => patterns().map((pattern) => ({ pattern, ...rule })));
    const key = rules.map(({ pattern }) => pattern).join('\0');
    if (this.#known?.key !== key) this.#known = { key, files: new ControlFiles(rules) };
    return this.#known.files;
  }
}
