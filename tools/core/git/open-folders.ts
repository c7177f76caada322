import { isInside } from '../../../plugins/shared/project/is-inside.ts';

/** The folders that are open to a tool, as its parameters `open_folders` and `writable_folders` have them. */
export class OpenFolders {
  readonly #open: readonly string[];
  readonly #writable: ReadonlySet<string>;

  constructor({ open_folders: open = [], writable_folders: writable = [] }: Readonly<Record<string, unknown>>) {
    this.#open = open as readonly string[];
    this.#writable = new Set(writable as readonly string[]);
  }

  /** True for a place, links resolved, that is open for this; the innermost folder around it decides. */
  isOpen(place: string, access: 'read' | 'write'): boolean {
    const around = this.#open.filter((folder) => isInside(place, folder));
    const [innermost] = around.sort((a, b) => b.length - a.length);
    return innermost !== undefined && (access === 'read' || this.#writable.has(innermost));
  }
}
