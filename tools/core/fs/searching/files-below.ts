import { type Dirent, readdir, statSync } from 'node:fs';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { Unreadable } from '../../../../plugins/shared/walks/unreadable.ts';
import { fileError, notAFile } from '../files/file-error.ts';
import { GitExclusions, type LeftOutResult } from '../files/git-exclusions.ts';
import { isRealPath, movedError } from '../files/path-race.ts';
import { walk } from '../files/walk.ts';
import { pathMatcher } from './path-matcher.ts';

interface FilesBelowOptions {
  /** Parameter that holds the pattern, for messages. */
  readonly parameter: string;
  /** Globs to exclude, as `ignorePattern` reads them. */
  readonly ignore?: readonly string[];
  /** Includes links, pipes and devices; links are never followed. @default false */
  readonly specialFiles?: boolean;
  /** Lists folders instead of files. @default false */
  readonly folders?: boolean;
}

interface FilesBelow {
  readonly paths: readonly string[];
  /** Number of files that were checked, also those that do not match. */
  readonly seen: number;
  /** Git's own files that were excluded. */
  readonly leftOut: LeftOutResult;
  /** Unreadable paths; the caller may add paths that it cannot read. */
  readonly unreadable: Unreadable;
}

/** Returns the folder, or the file, at a confined path. Throws NOT_FOUND and EXECUTION_FAILED. */
export function fileOrFolderAt(path: string): { readonly real: string; readonly isFile: boolean } {
  try {
    const stats = statSync(path);
    if (!isRealPath(path)) throw movedError(path);
    if (!stats.isFile() && !stats.isDirectory()) throw notAFile(stats, 'search', path);
    return { real: path, isFile: stats.isFile() };
  } catch (error) {
    throw fileError(error, 'search', path);
  }
}

/**
 * Returns relative paths in code unit order. Lists nothing that is reached through a symbolic link or is outside the folder.
 * Excludes node_modules and git's own files, unless the pattern names `node_modules` or `.git`. Throws INVALID_PARAMETERS for a
 * pattern, or a glob of `ignore`, that leaves the folder.
 */
export async function filesBelow(folder: string, pattern: string, options: FilesBelowOptions): Promise<FilesBelow> {
  const { parameter, ignore = [], specialFiles = false, folders = false } = options;
  const named = pattern.split(/[/{},!]/);
  if (nodePath.isAbsolute(pattern.replace(/^!/, '')) || named.includes('..')) throw leavingPattern(parameter, pattern);
  refuseLeaving('ignore', ignore);
  const leftOut = named.includes('.git') ? undefined : new GitExclusions(folder);
  const unreadable = new Unreadable(folder);
  const withoutPackages = named.includes('node_modules') ? [] : ['**/node_modules/**'];
  const matcher = await pathMatcher(pattern, { ignore: [...withoutPackages, ...ignore.map(ignorePattern)] });
  const isWanted = folders ? isFolder : specialFiles ? (entry: Dirent) => !entry.isDirectory() : (entry: Dirent) => entry.isFile();
  const paths: string[] = [];
  let seen = 0;
  const { base } = matcher;
  const start = nodePath.join(folder, base ?? '');
  // The fixed beginning of the pattern goes through a link, which is not followed.
  if (base === undefined || (base !== '' && !isRealPath(start))) return { paths, seen, leftOut: {}, unreadable };
  walk(start, {
    prefix: base === '' ? '' : `${base}/`,
    leftOut,
    unreadable,
    enters: matcher.enters,
    onEntry: (entry, { prefix }) => {
      if (!isWanted(entry)) return;
      seen += 1;
      const path = prefix + entry.name;
      if (matcher.fits(path, entry.name)) paths.push(folders ? `${path}/` : path);
    },
  });
  return { paths, seen, leftOut: leftOut?.result ?? {}, unreadable };
}

const isFolder = (entry: Dirent): boolean => entry.isDirectory();

/**
 * Returns the glob for a .gitignore pattern: without a slash it matches names at any depth; a leading slash stands for the
 * listed folder.
 */
export function ignorePattern(pattern: string): string {
  const bare = pattern.replace(/\/$/, '');
  if (bare.startsWith('/')) return bare.slice(1);
  return bare.includes('/') ? bare : `**/${bare}`;
}

/**
 * Returns absolute paths that globs, as `ignorePattern` reads them, exclude from a folder. Content of an excluded folder is not
 * always included. Throws INVALID_PARAMETERS for a glob that leaves the folder.
 */
export async function excludedBelow(folder: string, exclude: readonly string[]): Promise<ReadonlySet<string>> {
  refuseLeaving('exclude', exclude);
  if (exclude.length === 0) return new Set();
  const { glob } = await import('tinyglobby');
  const paths = await glob(exclude.map(ignorePattern), {
    cwd: folder,
    dot: true,
    onlyFiles: false,
    expandDirectories: false,
    followSymbolicLinks: false,
    // Git's own files are excluded by the calling tool itself, and it finds unreadable folders again.
    fs: { readdir: readdirWithoutLinks({ leftOut: new GitExclusions(folder), unreadable: new Unreadable(folder) }) },
  });
  return new Set(paths.map((found) => nodePath.join(folder, found.replace(/\/$/, ''))));
}

function refuseLeaving(parameter: string, globs: readonly string[]): void {
  for (const [index, left] of globs.entries()) if (left.split('/').includes('..')) throw leavingPattern(`${parameter}[${index}]`, left);
}

type Done = (error: NodeJS.ErrnoException | null, entries?: readonly (Dirent | ShownEntry)[]) => void;

/** Results of a walk other than its paths. */
interface WalkNotes {
  readonly leftOut: GitExclusions | undefined;
  readonly unreadable: Unreadable;
  /** Receives the path of every link, where links are not entered. */
  readonly onLink?: (path: string) => void;
}

/**
 * Returns a `readdir` for tinyglobby. It presents links, pipes and devices as files, which are listed and not entered, and
 * returns no entries of a folder that has become a link, and none of git's own files.
 */
export function readdirWithoutLinks({ leftOut, unreadable, onLink }: WalkNotes): typeof readdir {
  const list = (folder: string, options: { withFileTypes: true }, done: Done): void =>
    readdir(folder, options, (error, entries) => {
      if (error !== null || !isRealPath(folder)) {
        unreadable.add(folder, error ?? undefined);
        return error === null ? done(null, []) : done(error);
      }
      const shown = kept(folder, entries, leftOut);
      for (const entry of shown) if (entry.isSymbolicLink()) onLink?.(nodePath.join(folder, entry.name));
      done(
        null,
        shown.map((entry) => new ShownEntry(entry)),
      );
    });
  return list as unknown as typeof readdir;
}

function kept(folder: string, entries: readonly Dirent[], leftOut: GitExclusions | undefined): readonly Dirent[] {
  return leftOut === undefined ? entries : leftOut.filter(folder, entries, ({ name }) => name);
}

/** Entry that is a folder, or anything else presented as a file. A class, because there may be very many. */
class ShownEntry {
  readonly name: string;
  readonly #isFolder: boolean;

  constructor(entry: Dirent) {
    this.name = entry.name;
    this.#isFolder = entry.isDirectory();
  }

  isDirectory(): boolean {
    return this.#isFolder;
  }

  isFile(): boolean {
    return !this.#isFolder;
  }

  isSymbolicLink(): boolean {
    return false;
  }
}

function leavingPattern(parameter: string, pattern: string): ToolkitError {
  const message = `expected a pattern for files below the searched folder, received "${excerpt(pattern)}". Set "path" to the folder instead`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${parameter}": ${message}.`, { issues: [{ path: parameter, message }] });
}
