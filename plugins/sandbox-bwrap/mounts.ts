import path from 'node:path';
import { isInside } from '../shared/project/is-inside.ts';

/** A path in the sandbox, and the way it is mounted. */
export type Mount =
  | { readonly path: string; readonly kind: 'read' | 'write'; readonly source?: string }
  | { readonly path: string; readonly kind: 'hide'; readonly isFolder: boolean }
  /** A private folder in memory, empty at the start. */
  | { readonly path: string; readonly kind: 'private'; readonly maxBytes: number; readonly mode: string }
  /** A link to `source`. */
  | { readonly path: string; readonly kind: 'link'; readonly source: string };

/** Rank of the mounts: at one path, the highest counts. */
const strictness: Readonly<Record<Mount['kind'], number>> = { link: 0, private: 1, write: 2, read: 3, hide: 4 };

/**
 * Paths that become read-only once everything is mounted. `/proc` too: the superuser may write to kernel files such as
 * `/proc/sys/kernel/core_pattern` by their mode alone, and bubblewrap leaves `/proc/sys` open.
 */
const readOnlyAtLast = ['/proc', '/dev', '/'];

/** The file system of one sandbox. A path that is not listed does not exist in it. */
export class Mounts {
  readonly #mounts = new Map<string, Mount>();

  constructor(mounts: Iterable<Mount> = []) {
    for (const mount of mounts) this.add(mount);
  }

  add(mount: Mount): void {
    const known = this.#mounts.get(mount.path);
    if (known === undefined || strictness[mount.kind] > strictness[known.kind]) this.#mounts.set(mount.path, mount);
  }

  /**
   * Adds a mount that protects a path below a root. The folders between the two become mounts too, because a program cannot move
   * or remove a mount, or a folder above one.
   */
  addProtection(mount: Mount, root: string): void {
    this.add(mount);
    let between: string[] = [];
    for (let folder = path.dirname(mount.path); folder !== root && isInside(folder, root); folder = path.dirname(folder)) {
      const kind = this.#mounts.get(folder)?.kind;
      if (kind === 'hide') return;
      if (kind === 'read') between = [];
      else between.push(folder);
    }
    for (const folder of between) this.add({ path: folder, kind: 'write' });
  }

  /** Returns the innermost mount that holds an absolute path. */
  innermostAt(absolute: string): Mount | undefined {
    for (let folder = absolute; ; folder = path.dirname(folder)) {
      const mount = this.#mounts.get(folder);
      if (mount !== undefined || folder === path.dirname(folder)) return mount;
    }
  }

  /** True when a program finds the file of this machine at an absolute path (with links resolved). */
  isVisible(absolute: string): boolean {
    const kind = this.innermostAt(absolute)?.kind;
    return kind === 'read' || kind === 'write';
  }

  /** Returns the arguments of bubblewrap for these mounts, folders before their contents. */
  toArguments(): string[] {
    const needed = [...this.#mounts.values()].filter((mount) => !this.#isRedundant(mount));
    const mounts = needed.sort((a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1));
    const hidden = mounts.filter((mount) => mount.kind === 'hide' && mount.isFolder).map((mount) => mount.path);
    const made = mounts.flatMap((mount) => argumentsOf(mount, hidden.includes(mount.path) && this.#hasMountsBelow(mount.path)));
    return [...made, ...[...hidden, ...readOnlyAtLast].flatMap((mountPath) => ['--remount-ro', mountPath])];
  }

  /** True for a part of a readable folder that needs no mount of its own. */
  #isRedundant({ kind, path: mountPath, ...mount }: Mount): boolean {
    if (kind !== 'read' || ('source' in mount && mount.source !== mountPath)) return false;
    const enclosing = this.innermostAt(path.dirname(mountPath));
    return enclosing?.kind === 'read' && (enclosing.source ?? enclosing.path) === enclosing.path;
  }

  #hasMountsBelow(folder: string): boolean {
    return [...this.#mounts.keys()].some((mountPath) => mountPath !== folder && isInside(mountPath, folder));
  }
}

function argumentsOf(mount: Mount, hasMountsBelow: boolean): readonly string[] {
  switch (mount.kind) {
    case 'read':
    case 'write':
      return [mount.kind === 'read' ? '--ro-bind' : '--bind', mount.source ?? mount.path, mount.path];
    case 'link':
      return ['--symlink', mount.source, mount.path];
    case 'private':
      return ['--perms', mount.mode, '--size', String(mount.maxBytes), '--tmpfs', mount.path];
    case 'hide':
      // A device on a mount without devices: opening it fails. An empty file would pass for the secret.
      return mount.isFolder ? ['--perms', hasMountsBelow ? '0111' : '0000', '--tmpfs', mount.path] : ['--ro-bind', '/dev/null', mount.path];
  }
}

function depthOf(mountPath: string): number {
  return mountPath === '/' ? 0 : mountPath.split('/').length;
}
