import { hash } from 'node:crypto';
import { type Call, type CodeFile, excerpt, type Tool, ToolkitError } from '../../../kernel/index.ts';
import type { LinkedState } from '../code/loaded-functions.ts';
import { changedFiles, fingerprintOf, importableNames } from './code-file.ts';
import type { CodeLedger } from './code-ledger.ts';

/** Checks that calls run the code that was linked. Executors ask it right before they load or start code. */
export class LinkedCode {
  readonly #ledger: CodeLedger;
  /** Tools whose code was written to while it was loaded. The loaded content is unknown, and cannot be unloaded. */
  readonly #uncertainTools = new Set<string>();

  constructor(ledger: CodeLedger) {
    this.#ledger = ledger;
  }

  /**
   * Throws APPROVAL_REQUIRED for a model's call whose tool would run other code than the linked one, unless the operator has accepted that
   * code. Calls of host code pass. `loaded`: a file that is already loaded, and therefore runs unchanged.
   */
  refuseChanged({ tool, origin }: Pick<Call, 'tool' | 'origin'>, loaded?: string): void {
    if (origin !== 'model' || tool.code === undefined) return;
    const changed = changedFiles(tool.code).filter((file) => file.file !== loaded && !this.#ledger.isAccepted(file));
    const [first] = changed;
    if (first === undefined) return;
    throw changedError(tool, changed, first);
  }

  /**
   * Loads the code of a call into this process. Throws APPROVAL_REQUIRED when any of it differs from the linked code, or changes while it
   * is loaded.
   */
  async whileUnchanged<T>(call: Pick<Call, 'tool' | 'origin'>, load: () => Promise<T>): Promise<T> {
    const { tool, origin } = call;
    if (origin !== 'model' || tool.code === undefined) return load();
    const files = tool.code.map(({ file }) => file);
    const before = files.map(fingerprintOf);
    this.refuseChanged(call);
    const loaded = this.#uncertainTools.has(tool.name) ? undefined : await load();
    if (files.some((file, index) => fingerprintOf(file) !== before[index])) this.#uncertainTools.add(tool.name);
    if (loaded !== undefined && !this.#uncertainTools.has(tool.name)) return loaded;
    const message = `"${tool.name}" was not run: its code was written to while it was loaded. The operator of this server must restart it, so that it loads what is there.`;
    throw new ToolkitError('APPROVAL_REQUIRED', message, { tool: tool.name });
  }
}

function changedError(tool: Tool, changed: readonly CodeFile[], first: CodeFile): ToolkitError {
  const files = changed.map(({ file }) => file);
  return new ToolkitError(
    'APPROVAL_REQUIRED',
    `"${tool.name}" needs approval and was not run: its code is not what was loaded when the tools were discovered. ${sentenceOf(first, changed.length - 1)} A person must see it first: reload the tools, so that one is asked, or tell the person you work for that the operator of this server may restart it or run "toolkit tools accept ${tool.name}"; "toolkit tools pending" shows what is different.`,
    { tool: tool.name, files },
  );
}

function sentenceOf({ file, part, sha256 }: CodeFile, others: number): string {
  if (part === importableNames) return `Python would import from ${excerpt(file)}, where a module was added or removed.`;
  const what = part === undefined ? excerpt(file) : `"${part}" of ${excerpt(file)}`;
  const more = others === 0 ? '' : `, and ${others} more`;
  return `${what} ${sha256 === '' ? 'is gone' : 'has changed, or was not accepted'}${more}.`;
}

/** Returns the fingerprint of a tool's linked code, for executors that cache loaded code. Undefined when no tool could write that code. */
export function linkedState({ name, code }: Tool): LinkedState | undefined {
  if (code === undefined) return undefined;
  const known = states.get(code) ?? { tool: name, state: hash('sha256', JSON.stringify(code), 'hex') };
  states.set(code, known);
  return known;
}

/** Cached per discovery. */
const states = new WeakMap<readonly CodeFile[], LinkedState>();
