import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type ControlFileRule, type ControlFiles, excerpt, type FileAccess, ToolkitError } from '../../../kernel/index.ts';

/** Maximum control files named in a message. */
const maxShown = 5;

interface Refusal {
  /** The refused action, as a past participle: `moved`. */
  readonly action: string;
  /** True when the tool has a parameter `exclude`. @default false */
  readonly takesExclude?: boolean;
}

/**
 * Collects the control files in the way of an operation on many files. The operation checks all files first, and is refused as a whole
 * when there are any.
 */
export class BlockedFiles {
  readonly #files: ControlFiles;
  readonly #blocked = new Map<string, { readonly rule: ControlFileRule; readonly access: FileAccess }>();

  constructor(files: ControlFiles) {
    this.#files = files;
  }

  /**
   * Returns true for an absolute path that tools must not access, and records it; the caller skips its contents. A new link must not
   * replace a folder above a control file either: a write through the link would change that file.
   */
  check(file: string, access: FileAccess, { isLink = false } = {}): boolean {
    const rule = this.#files.find(file, access) ?? (isLink && access === 'write' ? this.#files.findBelow(file) : undefined);
    if (rule !== undefined) this.#blocked.set(file, { rule, access });
    return rule !== undefined;
  }

  /**
   * Checks a folder that is to be moved or removed, for control files in it, existing or not, and for files that would become one at
   * `target`. Does not follow links. Throws what `node:fs` throws, and the reason of the signal.
   */
  async checkFolder(folder: string, signal: AbortSignal, target?: string): Promise<void> {
    const named = this.#files.findBelow(folder);
    if (named !== undefined) this.#blocked.set(named.pattern, { rule: named, access: 'write' });
    await this.checkEntries(folder, target === undefined ? [folder] : [folder, target], signal);
  }

  /** Checks each entry of a folder for control files, at each of the paths where it would be written. */
  async checkEntries(folder: string, targetFolders: readonly string[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const found = targetFolders.map((targetFolder) => path.join(targetFolder, entry.name));
      if (found.some((file) => this.check(file, 'write', { isLink: entry.isSymbolicLink() }))) continue;
      if (entry.isDirectory()) await this.checkEntries(path.join(folder, entry.name), found, signal);
    }
  }

  /** Throws POLICY_DENIED when control files were recorded, with their names and what to do. */
  refuse({ action: done, takesExclude = false }: Refusal): void {
    if (this.#blocked.size === 0) return;
    const held = [...this.#blocked].slice(0, maxShown);
    const shown = held.map(([file, { rule }]) => `"${excerpt(file)}" (${rule.what}, named by ${rule.plugin})`).join(', ');
    const more = this.#blocked.size > maxShown ? ` and ${this.#blocked.size - maxShown} more` : '';
    const never = held.every(([, { access }]) => access === 'read') ? 'read' : 'create, change, move or remove';
    const names = [...new Set(held.map(([file]) => path.basename(file)))];
    const exclude = takesExclude
      ? `Leave them out with exclude, such as ${JSON.stringify(names)}. If they are needed`
      : 'Work on what lies beside them. If that is not enough';
    throw new ToolkitError(
      'POLICY_DENIED',
      `Nothing was ${done}: it would touch control files, which tools do not ${never}: ${shown}${more}. ${exclude}, tell the person you work for: the operator does it by hand, or lists them in "allowControlFiles" of confine-paths.`,
      { files: held.map(([file]) => file), controlFiles: this.#blocked.size },
    );
  }
}
