import { type ControlFileRule, ControlFiles, type ControlFilesOptions } from './control-files.ts';

/** Patterns of control files (see `ControlFileRule`). A function is asked before each use, for what comes and goes with the tools. */
export type ControlFilePatterns = string | (() => readonly string[]);

/** What the plugins of one kernel have named. */
export class NamedControlFiles {
  readonly #named: { readonly patterns: () => readonly string[]; readonly rule: Omit<ControlFileRule, 'pattern'> }[] = [];
  #known: { readonly key: string; readonly files: ControlFiles } | undefined;

  add(plugin: string, patterns: ControlFilePatterns, { what, read = true }: ControlFilesOptions): void {
    this.#named.push({ patterns: typeof patterns === 'string' ? () => [patterns] : patterns, rule: { what, read, plugin } });
  }

  /** As they are at this moment. */
  get current(): ControlFiles {
    const rules = this.#named.flatMap(({ patterns, rule }) => patterns().map((pattern) => ({ pattern, ...rule })));
    const key = rules.map(({ pattern }) => pattern).join('\0');
    if (this.#known?.key !== key) this.#known = { key, files: new ControlFiles(rules) };
    return this.#known.files;
  }
}
