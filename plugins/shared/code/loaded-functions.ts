import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import { type CodeReference, forgetModules, importFunction } from './code-module.ts';
import { contentState } from './file-state.ts';

/** Another `state` for a tool when any code that it runs was another when the tool was linked. */
export interface LinkedState {
  readonly tool: string;
  readonly state: string;
}

/** Functions of modules, by file and export. Each is imported once and kept, because importing costs time even then. */
export class LoadedFunctions<F> {
  readonly #fallback: readonly string[];
  readonly #loaded = new Map<string, Promise<F>>();
  /** What each file held when it was imported: that is what runs, whatever it holds now. */
  readonly #states = new Map<string, string>();
  /** By file and tool, the code that was linked when the tool loaded the file last. */
  readonly #linked = new Map<string, string>();
  /** Files that are another one since they were first imported. */
  readonly #renewed = new Set<string>();
  #isAnew = false;

  /** `fallback`: names that are tried when a reference names no export. */
  constructor(fallback: readonly string[]) {
    this.#fallback = fallback;
  }

  /**
   * Throws TOOL_INVALID; APPROVAL_DENIED when `approved`, the state of the file that was approved, is not what is loaded. A tool that is linked with
   * other code than before, here or in what it imports, has its file imported anew.
   */
  async load(code: CodeReference, approved?: string, linked?: LinkedState): Promise<F> {
    if (linked !== undefined) this.#renew(code.file, linked);
    const key = `${code.file}#${code.exportName ?? ''}`;
    const run = await (this.#loaded.get(key) ?? this.#keep(key, this.#import(code)));
    if (approved !== undefined && (await this.stateOf(code.file)) !== approved) throw otherCode(code.file);
    return run;
  }

  /** What would run: what was loaded of this file, else what it holds now. */
  async stateOf(file: string): Promise<string> {
    return this.#states.get(file) ?? (await contentState(file));
  }

  /** From now on modules are imported as their files are then. */
  forget(): void {
    this.#loaded.clear();
    this.#states.clear();
    this.#linked.clear();
    this.#isAnew = true;
    forgetModules();
  }

  #renew(file: string, { tool, state }: LinkedState): void {
    const key = `${file}#${tool}`;
    const before = this.#linked.get(key);
    this.#linked.set(key, state);
    if (before === undefined || before === state) return;
    for (const loaded of this.#loaded.keys()) if (loaded.startsWith(`${file}#`)) this.#loaded.delete(loaded);
    this.#states.delete(file);
    this.#renewed.add(file);
    forgetModules();
  }

  #keep(key: string, loading: Promise<F>): Promise<F> {
    this.#loaded.set(key, loading);
    loading.catch(() => this.#loaded.get(key) === loading && this.#loaded.delete(key));
    return loading;
  }

  async #import(code: CodeReference): Promise<F> {
    const before = await contentState(code.file);
    const run = await importFunction<F>(code, this.#fallback, this.#isAnew || this.#renewed.has(code.file));
    const after = await contentState(code.file);
    // Which of the two was imported is not known. Another function of a file that is loaded comes from what is loaded.
    if (!this.#states.has(code.file)) this.#states.set(code.file, before === after ? before : `${before} ${after}`);
    return run;
  }
}

export function otherCode(file: string): ToolkitError {
  return new ToolkitError(
    'APPROVAL_DENIED',
    `The code that was approved was not run: ${excerpt(file)} holds or held another one when it was loaded. Call it again; where that does not help, start the service anew, so that it loads what is there.`,
    { file },
  );
}
