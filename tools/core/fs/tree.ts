import { type Dirent, readdir } from 'node:fs';
import { opendir, readlink, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import { fileError } from './file-error.ts';
import { drawTree } from './tree-drawing.ts';
import { isRealPath, moved } from './unmoved.ts';

interface TreeParameters {
  readonly path: string;
  readonly depth: number;
  readonly ignore: readonly string[];
  readonly max_entries: number;
}

interface TreeResult {
  readonly tree: string;
  readonly entries: number;
  readonly truncated: boolean;
}

/**
 * What a folder holds, drawn with lines. When there is more than `max_entries`, the upper levels come first. Throws NOT_FOUND and
 * EXECUTION_FAILED.
 */
export async function tree({ path, depth, ignore, max_entries }: TreeParameters): Promise<TreeResult> {
  const folder = await folderAt(path);
  const all = await pathsBelow(folder, depth, ignore);
  const kept = all.slice(0, max_entries);
  const targets = new Map(await Promise.all(kept.map(async (name) => [name, await linkTarget(nodePath.join(folder, name))] as const)));
  const text = drawTree(nodePath.basename(path), kept, { targets, cut: all.slice(max_entries) });
  return { tree: text, entries: kept.length, truncated: kept.length < all.length };
}

async function folderAt(path: string): Promise<string> {
  try {
    if (!(await stat(path)).isDirectory()) {
      const message = `Cannot list "${excerpt(path)}": it is a file, expected a folder. Read it with fs_read_file.`;
      throw new ToolkitError('EXECUTION_FAILED', message, { file: path });
    }
    // The walk itself passes over what it may not read.
    await (await opendir(path)).close();
    if (!isRealPath(path)) throw moved(path);
    return path;
  } catch (error) {
    throw fileError(error, 'list', path);
  }
}

/** Relative paths, folders with a `/` at the end: level by level, in code unit order within a level. */
async function pathsBelow(folder: string, depth: number, ignore: readonly string[]): Promise<string[]> {
  const { glob } = await import('tinyglobby');
  const paths = await glob('**/*', {
    cwd: folder,
    dot: true,
    onlyFiles: false,
    expandDirectories: false,
    followSymbolicLinks: false,
    // Counted from 0.
    deep: depth - 1,
    ignore: ignore.map(ignorePattern),
    fs: { readdir: readdirWithoutLinks as typeof readdir },
  });
  const levelOf = (name: string): number => name.replace(/\/$/, '').split('/').length;
  const known = new Map(paths.map((name) => [name, levelOf(name)]));
  return [...known.keys()].sort((a, b) => (known.get(a) ?? 0) - (known.get(b) ?? 0) || (a < b ? -1 : 1));
}

/** As in a .gitignore: a pattern without a slash is for names at any depth, a leading slash stands for the listed folder. */
function ignorePattern(pattern: string): string {
  const bare = pattern.replace(/\/$/, '');
  if (bare.startsWith('/')) return bare.slice(1);
  return bare.includes('/') ? bare : `**/${bare}`;
}

/** Shows links, pipes and devices as files: tinyglobby lists those and does not enter them. Shows nothing of a folder that has become a link. */
function readdirWithoutLinks(
  folder: string,
  options: { withFileTypes: true },
  done: (error: NodeJS.ErrnoException | null, entries?: Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>[]) => void,
): void {
  readdir(folder, options, (error, entries) => {
    if (error !== null) return done(error);
    if (!isRealPath(folder)) return done(null, []);
    done(
      null,
      entries.map((entry) => ({
        name: entry.name,
        isDirectory: () => entry.isDirectory(),
        isFile: () => !entry.isDirectory(),
        isSymbolicLink: () => false,
      })),
    );
  });
}

async function linkTarget(path: string): Promise<string | undefined> {
  if (path.endsWith('/')) return undefined;
  // Of anything but a link this fails with EINVAL.
  return readlink(path).catch(() => undefined);
}
