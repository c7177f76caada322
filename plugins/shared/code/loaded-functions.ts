import { type CodeReference, forgetModules, importFunction } from './code-module.ts';

/** Functions of modules, by file and export. Each is imported once and kept, because importing costs time even then. */
export class LoadedFunctions<F> {
  readonly #fallback: readonly string[];
  readonly #loaded = new Map<string, Promise<F>>();
  #isAnew = false;

  /** `fallback`: names that are tried when a reference names no export. */
  constructor(fallback: readonly string[]) {
    this.#fallback = fallback;
  }

  /** Throws TOOL_INVALID. */
  load(code: CodeReference): Promise<F> {
    const key = `${code.file}#${code.exportName ?? ''}`;
    const known = this.#loaded.get(key);
    if (known !== undefined) return known;
    const loading = importFunction<F>(code, this.#fallback, this.#isAnew);
    this.#loaded.set(key, loading);
    loading.catch(() => this.#loaded.get(key) === loading && this.#loaded.delete(key));
    return loading;
  }

  /** From now on modules are imported as their files are then. */
  forget(): void {
    this.#loaded.clear();
    this.#isAnew = true;
    forgetModules();
  }
}
