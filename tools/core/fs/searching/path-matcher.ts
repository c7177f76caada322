import { posix } from 'node:path';
import type picomatchLibrary from 'picomatch';
import type { PicomatchOptions } from 'picomatch';

/** The entries below a folder that a pattern fits. Paths are relative, with `/` between names and none at the end. */
export interface PathMatcher {
  /** Fits a file, by its path and its name. */
  readonly fits: (path: string, name: string) => boolean;
  /** Tells which folders are walked: none that is taken out. */
  readonly enters: (path: string) => boolean;
  /** The folder that all lies in which fits; empty for the top. Undefined where it is taken out, or lies in a folder that is. */
  readonly base: string | undefined;
}

type Picomatch = typeof picomatchLibrary;

interface MatcherOptions {
  /** Globs, as `ignorePattern` reads them, of what is taken out with everything below it. */
  readonly ignore: readonly string[];
}

const options: PicomatchOptions = { dot: true, posix: true };

/** Something in parentheses may mean a whole path; in braces it may be several names. */
const isPlainName = (pattern: string): boolean => !/[/(){}]/.test(pattern);

/**
 * Returns what fits a pattern: without a slash names at any depth, with one paths from the top; a leading `!` takes away. Both as the library picomatch
 * reads globs, where `*` also stands for names with a dot in front.
 */
export async function pathMatcher(pattern: string, { ignore }: MatcherOptions): Promise<PathMatcher> {
  const { default: picomatch } = await import('picomatch');
  const isNegated = pattern.startsWith('!');
  const wanted = isNegated ? '**/*' : pattern;
  const taken = [...ignore, ...(isNegated ? [deep(pattern.slice(1))] : [])].map(normal);
  const isTaken = taken.length === 0 ? (): boolean => false : picomatch(taken, options);
  const base = baseOf(wanted, picomatch);
  return {
    fits: fitting(wanted, isTaken, picomatch),
    enters: (path) => !isTaken(path),
    base: waysTo(base).some((way) => isTaken(way)) ? undefined : base,
  };
}

function fitting(wanted: string, isTaken: (path: string) => boolean, picomatch: Picomatch): PathMatcher['fits'] {
  if (wanted === '*' || wanted === '**/*' || wanted === '**') return (path) => !isTaken(path);
  // The names alone are asked where that is the same: they are shorter, and there are very many.
  if (isPlainName(wanted)) {
    const fitsName = picomatch(wanted, options);
    return (path, name) => fitsName(name) && !isTaken(path);
  }
  const fitsPath = picomatch(normal(deep(wanted)), options);
  return (path) => fitsPath(path) && !isTaken(path);
}

function deep(pattern: string): string {
  return pattern.includes('/') ? pattern : `**/${pattern}`;
}

/** Without `./`, `//` and a slash at the end, which no relative path has. */
function normal(pattern: string): string {
  const whole = posix.join('.', pattern);
  return whole.endsWith('/') ? whole.slice(0, -1) : whole;
}

/** The folder that a pattern begins with, without what has a meaning in globs; empty for the top. */
function baseOf(pattern: string, picomatch: Picomatch): string {
  if (!pattern.includes('/') || pattern.includes('\\')) return '';
  const { base, isGlob } = picomatch.scan(normal(pattern), options);
  const folder = isGlob ? base : posix.dirname(base);
  return folder === '.' ? '' : folder;
}

/** A relative path and those of the folders above it. */
function waysTo(path: string): readonly string[] {
  const names = path.split('/');
  return path === '' ? [] : names.map((_, index) => names.slice(0, index + 1).join('/'));
}
