import path from 'node:path';
import { excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';
import { implicitRoots } from '../shared/project/implicit-roots.ts';
import { isInside } from '../shared/project/is-inside.ts';
import { type RealPath, resolveRealPath } from './real-path.ts';

export type Access = 'read' | 'write';

interface Root {
  /** The absolute path as it was configured. */
  readonly configuredPath: string;
  readonly realPath: string;
  readonly access: Access;
}

export interface RootOptions {
  readonly roots?: readonly string[];
  readonly readRoots?: readonly string[];
}

/** The directories that are open to tools. Their own links are resolved once, so that no file made by a tool can move them. */
export class Roots {
  readonly #roots: readonly Root[];

  private constructor(roots: readonly Root[]) {
    this.#roots = roots;
  }

  /** Opens the directories. Relative ones start at `cwd`. Throws PLUGIN_INVALID for a directory that cannot be followed. */
  static async open(cwd: string, { roots, readRoots = [] }: RootOptions): Promise<Roots> {
    const write = roots ?? (await implicitRoots(cwd));
    const listed = [...write.map((root) => [root, 'write'] as const), ...readRoots.map((root) => [root, 'read'] as const)];
    return new Roots(await Promise.all(listed.map(([root, access]) => openRoot(path.resolve(cwd, root), access))));
  }

  /** The directory at which relative paths of calls start. */
  get base(): string | undefined {
    return this.#roots[0]?.realPath;
  }

  /** All roots, with their links resolved. */
  get folders(): readonly string[] {
    return this.#roots.map(({ realPath: real }) => real);
  }

  /** The roots that tools may write to, with their links resolved. A directory that is also listed for reading is not among them. */
  get writable(): readonly string[] {
    return this.folders.filter((folder) => this.isOpen({ path: folder, target: folder, exists: true }, 'write'));
  }

  /** Returns the roots for this access, as they were configured. */
  configuredPaths(access: Access): string[] {
    return this.#roots.filter((root) => access === 'read' || root.access === 'write').map(({ configuredPath }) => configuredPath);
  }

  /** Resolves an absolute path; a root also under its configured name. Throws the error of the file system. */
  async resolve(absolute: string): Promise<RealPath> {
    const root = this.#roots.find(({ configuredPath }) => configuredPath === absolute);
    return resolveRealPath(root?.realPath ?? absolute);
  }

  /** True when the path may be accessed. The innermost root counts; of the same directory listed twice, the read-only one. */
  isOpen({ path: ownPath, target }: RealPath, access: Access): boolean {
    return [ownPath, target].every((real) => {
      const enclosing = this.#roots.filter((root) => isInside(real, root.realPath));
      const depth = Math.max(...enclosing.map((root) => root.realPath.length));
      const innermost = enclosing.filter((root) => root.realPath.length === depth);
      return innermost.length > 0 && (access === 'read' || innermost.every((root) => root.access === 'write'));
    });
  }
}

async function openRoot(configuredPath: string, access: Access): Promise<Root> {
  try {
    return { configuredPath, access, realPath: (await resolveRealPath(configuredPath)).target };
  } catch (error) {
    const message = `The root "${excerpt(configuredPath)}" of confine-paths cannot be followed: ${messageOf(error)}. Name another directory.`;
    throw new ToolkitError('PLUGIN_INVALID', message, {}, { cause: error });
  }
}
