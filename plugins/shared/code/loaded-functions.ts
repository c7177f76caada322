import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import { type CodeReference, forgetModules, importFunction } from './code-module.ts';
import { contentState } from './file-state.ts';

/** State of the code that a tool was linked with. It changes with any code that the tool runs. */
export interface LinkedState {
  readonly tool: string;
  readonly state: string;
}

/** Functions of modules, cached by file and export, because even a repeated import costs time. */
export class LoadedFunctions<F> {
  readonly #fallback: readonly string[];
  readonly #loaded = new Map<string, Promise<F>>();
  /** Content hash of each file when it was imported. The imported code runs, whatever the file holds now. */
  readonly #states = new Map<string, string>();
  /** Linked code at the tool's last load, by file and tool. */
  readonly #linked = new Map<string, string>();
  /** Files that have changed since their first import. */
  readonly #changedFiles = new Set<string>();
  #isAnew = false;

  /** `fallback`: names to try when a reference names no export. */
  constructor(fallback: readonly string[]) {
    this.#fallback = fallback;
  }

  /**
   * Loads a function. When the tool's linked code has changed, its file is imported again. Throws TOOL_INVALID, and APPROVAL_DENIED when
   * the loaded code is not in the state `approved`.
   */
  async load(code: CodeReference, approved?: string, linked?: LinkedState): Promise<F> {
    if (linked !== undefined) this.#renew(code.file, linked);
    const key = `${code.file}#${code.exportName ?? ''}`;
    const run = await (this.#loaded.get(key) ?? this.#keep(key, this.#import(code)));
    if (approved !== undefined && (await this.stateOf(code.file)) !== approved) throw codeChangedError(code.file);
    return run;
  }

  /** Returns the state of the code that would run: that of the loaded file, else of the file on disk. */
  async stateOf(file: string): Promise<string> {
    return this.#states.get(file) ?? (await contentState(file));
  }

  /** Forgets all modules, so that later loads import the files as they are then. */
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
    this.#changedFiles.add(file);
    forgetModules();
  }

  #keep(key: string, loading: Promise<F>): Promise<F> {
    this.#loaded.set(key, loading);
    loading.catch(() => this.#loaded.get(key) === loading && this.#loaded.delete(key));
    return loading;
  }

  async #import(code: CodeReference): Promise<F> {
    const before = await contentState(code.file);
    const run = await importFunction<F>(code, this.#fallback, this.#isAnew || this.#changedFiles.has(code.file));
    const after = await contentState(code.file);
    // Unknown which of the two was imported. Other functions of a loaded file come from the loaded copy.
    if (!this.#states.has(code.file)) this.#states.set(code.file, before === after ? before : `${before} ${after}`);
    return run;
  }
}

export function codeChangedError(file: string): ToolkitError {
  return new ToolkitError(
    'APPROVAL_DENIED',
    `The code that was approved was not run: ${excerpt(file)} has other content now, or had it when it was loaded. Call it again; if that does not help, restart the service, so that it loads the present file.`,
    { file },
  );
}
