import type { Stats } from 'node:fs';
import { readlink } from 'node:fs/promises';
import nodePath from 'node:path';
import { fileError } from '../files/file-error.ts';
import { statIfThere } from '../files/stat-if-there.ts';
import { isRealPath, moved } from '../files/unmoved.ts';
import { type EntryType, entryType } from './entry-type.ts';

interface StatResult {
  readonly exists: boolean;
  readonly type?: EntryType;
  /** Bytes of a file. */
  readonly size?: number;
  /** Permissions in octal digits, such as `0644`. */
  readonly mode?: string;
  readonly created_at?: string;
  readonly modified_at?: string;
  readonly is_symlink?: boolean;
  readonly target?: string;
}

/** What is at a path, a link as itself. Throws EXECUTION_FAILED. */
export async function statPath({ path }: { readonly path: string }): Promise<StatResult> {
  try {
    const stats = await statIfThere(path);
    // A link in the last place is the answer; one before it has come since the path was confined.
    if (stats === undefined) return { exists: false };
    if (!isRealPath(nodePath.dirname(path))) throw moved(path);
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
    // Not every file system knows it.
    ...(stats.birthtimeMs > 0 ? { created_at: stats.birthtime.toISOString() } : {}),
    modified_at: stats.mtime.toISOString(),
    is_symlink: isLink,
    ...(isLink ? { target: await readlink(path) } : {}),
  };
}
