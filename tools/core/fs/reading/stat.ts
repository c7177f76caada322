import type { Stats } from 'node:fs';
import { readlink } from 'node:fs/promises';
import nodePath from 'node:path';
import { messageOf } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import type { UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { fileError } from '../files/file-error.ts';
import type { LeftOutResult } from '../files/git-exclusions.ts';
import { isRealPath, movedError } from '../files/path-race.ts';
import { statIfThere } from '../files/stat-if-there.ts';
import { chosenFiles, type FileChoice, refuseUnlessOne } from '../searching/chosen-files.ts';
import type { ChosenFile } from '../searching/globbed-files.ts';
import { type EntryType, entryType } from './entry-type.ts';

interface StatResult {
  readonly exists: boolean;
  readonly type?: EntryType;
  /** Size of a file, in bytes. */
  readonly size?: number;
  /** Permissions in octal digits, such as `0644`. */
  readonly mode?: string;
  readonly created_at?: string;
  readonly modified_at?: string;
  readonly is_symlink?: boolean;
  readonly target?: string;
}

interface StatParameters extends FileChoice {
  /** Allowed folders. */
  readonly folders: readonly string[];
}

type StatFile = Omit<StatResult, 'exists' | 'created_at' | 'is_symlink'> & {
  readonly path: string;
  readonly exists?: boolean;
  readonly error?: string;
};

interface StatFilesResult extends LeftOutResult, UnreadableResult {
  readonly files: readonly StatFile[];
  readonly total: number;
  readonly truncated: boolean;
}

const maxFiles = 1000;

/** Describes one path, or many, each with its error if it has one. Throws INVALID_PARAMETERS and EXECUTION_FAILED. */
export async function stat({ folders, ...choice }: StatParameters, context: FunctionContext): Promise<StatResult | StatFilesResult> {
  const { path, paths, glob } = choice;
  refuseUnlessOne({ path: glob === undefined ? path : undefined, paths, glob }, ['path', 'paths', 'glob']);
  if (path !== undefined && glob === undefined) return statPath(path);
  const { files, total, ...others } = await chosenFiles(choice, folders, context, { max: maxFiles, specialFiles: true });
  const found: StatFile[] = [];
  for (const file of files) {
    context.signal.throwIfAborted();
    found.push(await statOne(file));
  }
  return { files: found, total, truncated: files.length < total, ...others };
}

async function statOne({ name, path }: ChosenFile): Promise<StatFile> {
  try {
    const { created_at: _c, is_symlink: _s, ...facts } = await statPath(path);
    return { path: name, ...facts };
  } catch (error) {
    return { path: name, error: messageOf(error) };
  }
}

/** Describes a path; a link is described itself. Throws EXECUTION_FAILED. */
async function statPath(path: string): Promise<StatResult> {
  try {
    const stats = await statIfThere(path);
    // A link as the last name is described; a link in a folder above was created since the path was confined.
    if (stats === undefined) return { exists: false };
    if (!isRealPath(nodePath.dirname(path))) throw movedError(path);
    return { exists: true, ...(await describe(path, stats)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return { exists: false };
    throw fileError(error, 'read', path);
  }
}

async function describe(path: string, stats: Stats): Promise<Omit<StatResult, 'exists'>> {
  const isLink = stats.isSymbolicLink();
  return {
    type: entryType(stats),
    ...(stats.isFile() ? { size: stats.size } : {}),
    mode: (stats.mode & 0o7777).toString(8).padStart(4, '0'),
    // Some file systems do not report it.
    ...(stats.birthtimeMs > 0 ? { created_at: stats.birthtime.toISOString() } : {}),
    modified_at: stats.mtime.toISOString(),
    is_symlink: isLink,
    ...(isLink ? { target: await readlink(path) } : {}),
  };
}
