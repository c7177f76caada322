import { type Dirent, readdir, statSync } from 'node:fs';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { Unreadable } from '../../../../plugins/shared/walks/unreadable.ts';
import { fileError, notAFile } from '../files/file-error.ts';
import { LeftOut, type LeftOutResult } from '../files/left-out.ts';
import { isRealPath, moved } from '../files/unmoved.ts';
import { walk } from '../files/walk.ts';
import { pathMatcher } from './path-matcher.ts';

interface FilesBelowOptions {
  /** The parameter that the pattern comes from, for messages. */
  readonly parameter: string;
  /** Globs of what to leave out, as `ignorePattern` reads them. */
  readonly ignore?: readonly string[];
  /** Also links, pipes and devices; links are never followed. @default false */
  readonly specialFiles?: boolean;
  /** Folders instead of files. @default false */
  readonly folders?: boolean;
}

interface FilesBelow {
  readonly paths: readonly string[];
  /** Files that were looked at, also those that the pattern does not fit. */
  readonly seen: number;
  /** What of git was left out. */
  readonly leftOut: LeftOutResult;
  /** Takes further paths: what is listed here may be read by the caller. */
  readonly unreadable: Unreadable;
}

/** The folder, or the file, at a path that was confined. Throws NOT_FOUND and EXECUTION_FAILED. */
export function placeAt(path: string): { readonly real: string; readonly isFile: boolean } {
  try {
    const stats = statSync(path);
    if (!isRealPath(path)) throw moved(path);
    if (!stats.isFile() && !stats.isDirectory()) throw notAFile(stats, 'search', path);
    return { real: path, isFile: stats.isFile() };
  } catch (error) {
    throw fileError(error, 'search', path);
  }
}

/**
 * Relative paths, in code unit order. Nothing that is reached through a symbolic link or lies outside the folder. Leaves out node_modules, and
 * what is git's, unless the pattern names `node_modules` or `.git`. Throws INVALID_PARAMETERS for a pattern, or a glob of `ignore`, that leaves the folder.
 */
export async function filesBelow(folder: string, pattern: string, options: FilesBelowOptions): Promise<FilesBelow> {
  const { parameter, ignore = [], specialFiles = false, folders = false } = options;
  const named = pattern.split(/[/{},!]/);
  if (nodePath.isAbsolute(pattern.replace(/^!/, '')) || named.includes('..')) throw leavingPattern(parameter, pattern);
  refuseLeaving('ignore', ignore);
  const leftOut = named.includes('.git') ? undefined : new LeftOut(folder);
  const unreadable = new Unreadable(folder);
  const withoutPackages = named.includes('node_modules') ? [] : ['**/node_modules/**'];
  const matcher = await pathMatcher(pattern, { ignore: [...withoutPackages, ...ignore.map(ignorePattern)] });
  const isWanted = folders ? isFolder : specialFiles ? (entry: Dirent) => !entry.isDirectory() : (entry: Dirent) => entry.isFile();
  const paths: string[] = [];
  let seen = 0;
  const { base } = matcher;
  const start = nodePath.join(folder, base ?? '');
  // A link in the pattern is no folder of the tree.
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

/** As in a .gitignore: a pattern without a slash is for names at any depth, a leading slash stands for the listed folder. */
export function ignorePattern(pattern: string): string {
  const bare = pattern.replace(/\/$/, '');
  if (bare.startsWith('/')) return bare.slice(1);
  return bare.includes('/') ? bare : `**/${bare}`;
}

/**
 * Absolute paths of what globs, as `ignorePattern` reads them, take out of a folder; what lies in a folder that is taken out is not always
 * among them. Throws INVALID_PARAMETERS for one that leaves the folder.
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
    // What lies in there is left out by itself. The tool that asks meets what cannot be read again.
    fs: { readdir: readdirWithoutLinks({ leftOut: new LeftOut(folder), unreadable: new Unreadable(folder) }) },
  });
  return new Set(paths.map((found) => nodePath.join(folder, found.replace(/\/$/, ''))));
}

function refuseLeaving(parameter: string, globs: readonly string[]): void {
  for (const [index, left] of globs.entries()) if (left.split('/').includes('..')) throw leavingPattern(`${parameter}[${index}]`, left);
}

type Done = (error: NodeJS.ErrnoException | null, entries?: readonly (Dirent | ShownEntry)[]) => void;

/** Facts of a walk beside its paths. */
interface WalkNotes {
  readonly leftOut: LeftOut | undefined;
  readonly unreadable: Unreadable;
  /** Gets the path of every link, where links are not entered. */
  readonly onLink?: (path: string) => void;
}

/**
 * A `readdir` for tinyglobby that shows links, pipes and devices as files, which it lists and does not enter, and nothing of a folder that has
 * become a link, nor of what is left out.
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

function kept(folder: string, entries: readonly Dirent[], leftOut: LeftOut | undefined): readonly Dirent[] {
  return leftOut === undefined ? entries : leftOut.keep(folder, entries, ({ name }) => name);
}

/** A folder, or anything else as a file. A class, because there may be very many. */
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
