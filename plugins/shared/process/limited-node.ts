import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { ancestors } from '../project/ancestors.ts';
import { isInside } from '../project/is-inside.ts';

export interface NodeLimits {
  /** Maximum JavaScript heap, in MB. */
  readonly heapMb: number;
  /** Maximum of all other memory, such as buffers and compiled regular expressions, in MB. Enforced on Linux. */
  readonly nativeMb: number;
  /**
   * Files and folders that the process may read; `all` when callers name them. Enforced by Node's permission model, where this Node has
   * one.
   */
  readonly reads: readonly string[] | 'all';
  /** True when it may load native libraries, which the permission model does not confine. @default false */
  readonly loadsNative?: boolean;
  /** Maximum size of a file that it may write, in MB; 0: none. Enforced on Linux and macOS. @default 64 */
  readonly maxFileMb?: number;
  /** True when its standard output goes to standard error, because it answers in another way. @default false */
  readonly divertsOutput?: boolean;
}

export interface LimitedNode {
  readonly program: string;
  readonly args: readonly string[];
}

/** Memory that Node takes before any of our code runs, in MB: 82 on Node 20, with its threads. */
const startMb = 110;

/** Maximum size of a semi-space, in MB. The young generation uses up to three times as much. */
const semiSpaceMb = 8;

/** Blocks in a MB: `ulimit -f` counts blocks of 512 bytes. */
const blocksInMb = 2048;

/** Sets the limits, then starts the program. A limit that the system refuses, because a lower one is set, stays as it is. */
const script = '(ulimit -d "$1") 2>/dev/null && ulimit -d "$1"; ulimit -c 0; ulimit -f "$2"; shift 2; exec "$@"';

/**
 * Returns the command that starts a module in its own restricted Node process: memory limits, no core file, a file size limit, and with a
 * permission model (`permissionFlag`) no writing, no programs, no worker threads and, unless it loads them, no addons. Does not limit the
 * network.
 */
export function limitedNode(
  entry: string,
  { heapMb, nativeMb, reads, loadsNative = false, maxFileMb = 64, divertsOutput = false }: NodeLimits,
): LimitedNode {
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMb}`,
    `--max-semi-space-size=${semiSpaceMb}`,
    '--no-warnings',
    ...permissions(reads, loadsNative),
    entry,
  ];
  // The address space cannot be limited: WebAssembly reserves 16 GB of it.
  const dataKb = (startMb + heapMb + nativeMb) * 1024;
  if (process.platform === 'win32') return { program: process.execPath, args: node.slice(1) };
  // Without -p, a shell drops the effective rights when they are those of another user.
  const keepsRights = process.geteuid?.() === process.getuid?.() ? [] : ['-p'];
  return {
    program: '/bin/sh',
    args: [...keepsRights, '-c', divertsOutput ? `${script} 1>&2` : script, 'sh', String(dataKb), String(maxFileMb * blocksInMb), ...node],
  };
}

/** Returns the flag that enables the permission model of this Node; undefined where it has none. */
export function permissionFlag(): '--permission' | '--experimental-permission' | undefined {
  const flags = process.allowedNodeEnvironmentFlags;
  return (['--permission', '--experimental-permission'] as const).find((flag) => flags.has(flag));
}

function permissions(reads: readonly string[] | 'all', loadsNative: boolean): readonly string[] {
  const flag = permissionFlag();
  if (flag === undefined) return [];
  const allowed = reads === 'all' ? ['*'] : reads;
  return [flag, ...(loadsNative ? ['--allow-addons'] : []), ...allowed.map((place) => `--allow-fs-read=${place}`)];
}

/**
 * Returns the paths that Node reads to find modules in these folders and their imports: the folders with all content, and `node_modules`
 * and package.json in the folders above. Lists no path twice or inside another: Node 20 crashes on a path that it gets twice.
 */
export function findReadablePaths(folders: readonly string[]): readonly string[] {
  const above = [...new Set(folders.flatMap(ancestors))];
  const named = [...folders, ...above.map((folder) => path.join(folder, 'node_modules')).filter(existsSync)];
  // Node resolves links before it checks the permission.
  const trees = [...new Set(named.flatMap((tree) => [tree, realpathSync(tree)]))];
  const outermost = trees.filter((tree) => !trees.some((other) => other !== tree && isInside(tree, other)));
  const files = above.map((folder) => path.join(folder, 'package.json')).filter(existsSync);
  return [...outermost.map((tree) => path.join(tree, '*')), ...files.filter((file) => !outermost.some((tree) => isInside(file, tree)))];
}
