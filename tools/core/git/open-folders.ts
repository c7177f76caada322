import { isInside } from '../../../plugins/shared/project/is-inside.ts';

/** Folders that are open to a tool, from its parameters `open_folders` and `writable_folders`. */
export class OpenFolders {
  readonly #open: readonly string[];
  readonly #writable: ReadonlySet<string>;

  constructor({ open_folders: open = [], writable_folders: writable = [] }: Readonly<Record<string, unknown>>) {
    this.#open = open as readonly string[];
    this.#writable = new Set(writable as readonly string[]);
  }

  /** Returns true when a path, with links resolved, is open for this access; the innermost configured folder decides. */
  isOpen(place: string, access: 'read' | 'write'): boolean {
    const around = this.#open.filter((folder) => isInside(place, folder));
    const [innermost] = around.sort((a, b) => b.length - a.length);
    return innermost !== undefined && (access === 'read' || this.#writable.has(innermost));
  }
}
