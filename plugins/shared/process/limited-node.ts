import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { ancestors } from '../project/ancestors.ts';
import { isInside } from '../project/is-inside.ts';

export interface NodeLimits {
  /** Values of JavaScript, in MB. */
  readonly heapMb: number;
  /** Everything else that it takes from the system, such as buffers and compiled regular expressions, in MB. Enforced on Linux. */
  readonly nativeMb: number;
  /** Folders and files that it may read; `all` where it reads what its callers name. Enforced by Node's permission model, where this Node has one. */
  readonly reads: readonly string[] | 'all';
  /** It may load native libraries, which the permission model does not hold. @default false */
  readonly loadsNative?: boolean;
  /** Longest file that it may write where one is open to it, in MB; 0: it can write to none. Enforced on Linux and macOS. @default 64 */
  readonly maxFileMb?: number;
  /** Its standard output goes to standard error, for a program that answers in another way. @default false */
  readonly divertsOutput?: boolean;
}

export interface LimitedNode {
  readonly program: string;
  readonly args: readonly string[];
}

/** Memory that Node takes before any of our code runs, in MB: 82 on Node 20, with its threads. */
const startMb = 110;

/** Longest a young value waits before it counts as old, in MB: three times as much is kept once it was used. */
const semiSpaceMb = 8;

/** In a MB: `ulimit -f` counts blocks of 512 bytes. */
const blocksInMb = 2048;

/** A limit that the system refuses, because a lower one holds, is left as it is. */
const script = '(ulimit -d "$1") 2>/dev/null && ulimit -d "$1"; ulimit -c 0; ulimit -f "$2"; shift 2; exec "$@"';

/**
 * Returns how to start a module in a Node of its own that can take little and change nothing: limits of memory, no core file, files of at most 64 MB, and where this Node
 * has a permission model (`permissionFlag`) no writing, no programs, no worker threads and, unless it loads them, no addons. Does not limit the network.
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
  // Without -p a shell takes back the rights of the user who started the program, where those of another are in effect.
  const keepsRights = process.geteuid?.() === process.getuid?.() ? [] : ['-p'];
  return {
    program: '/bin/sh',
    args: [...keepsRights, '-c', divertsOutput ? `${script} 1>&2` : script, 'sh', String(dataKb), String(maxFileMb * blocksInMb), ...node],
  };
}

/** The flag that switches the permission model of this Node on; undefined where it has none. */
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
 * Returns what Node reads to find modules in these folders and what they import: the folders with all in them, and `node_modules` and package.json in
 * those above. Each place once and none inside another: Node 20 ends at a path that it is given twice.
 */
export function codePlaces(folders: readonly string[]): readonly string[] {
  const above = [...new Set(folders.flatMap(ancestors))];
  const named = [...folders, ...above.map((folder) => path.join(folder, 'node_modules')).filter(existsSync)];
  // Links are followed before Node asks whether it may read.
  const trees = [...new Set(named.flatMap((tree) => [tree, realpathSync(tree)]))];
  const outermost = trees.filter((tree) => !trees.some((other) => other !== tree && isInside(tree, other)));
  const files = above.map((folder) => path.join(folder, 'package.json')).filter(existsSync);
  return [...outermost.map((tree) => path.join(tree, '*')), ...files.filter((file) => !outermost.some((tree) => isInside(file, tree)))];
}
