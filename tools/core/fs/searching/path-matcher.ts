import { posix } from 'node:path';
import type picomatchLibrary from 'picomatch';
import type { PicomatchOptions } from 'picomatch';

/** Matcher for entries below a folder. Paths are relative, with `/` between names and none at the end. */
export interface PathMatcher {
  /** Returns true when a file matches, by its path and its name. */
  readonly fits: (path: string, name: string) => boolean;
  /** Returns true for a folder to walk, false for an excluded one. */
  readonly enters: (path: string) => boolean;
  /** Folder that contains every match; empty for the top. Undefined when that folder, or one above it, is excluded. */
  readonly base: string | undefined;
}

type Picomatch = typeof picomatchLibrary;

interface MatcherOptions {
  /** Globs, as `ignorePattern` reads them, of entries to exclude with everything below them. */
  readonly ignore: readonly string[];
}

const options: PicomatchOptions = { dot: true, posix: true };

/** Parentheses may contain a whole path, braces several names. */
const isPlainName = (pattern: string): boolean => !/[/(){}]/.test(pattern);

/**
 * Returns a matcher for a pattern: without a slash it matches names at any depth, with a slash paths from the top; a leading
 * `!` negates. Globs are read by the library picomatch; `*` also matches names that begin with a dot.
 */
export async function pathMatcher(pattern: string, { ignore }: MatcherOptions): Promise<PathMatcher> {
  const { default: picomatch } = await import('picomatch');
  const isNegated = pattern.startsWith('!');
  const wanted = isNegated ? '**/*' : pattern;
  const taken = [...ignore, ...(isNegated ? [deep(pattern.slice(1))] : [])].map(normal);
  const isExcluded = taken.length === 0 ? (): boolean => false : picomatch(taken, options);
  const base = baseOf(wanted, picomatch);
  return {
    fits: matcherOf(wanted, isExcluded, picomatch),
    enters: (path) => !isExcluded(path),
    base: pathAndParents(base).some((way) => isExcluded(way)) ? undefined : base,
  };
}

function matcherOf(wanted: string, isExcluded: (path: string) => boolean, picomatch: Picomatch): PathMatcher['fits'] {
  if (wanted === '*' || wanted === '**/*' || wanted === '**') return (path) => !isExcluded(path);
  // Matching names only is enough here; they are shorter than paths, and there are very many.
  if (isPlainName(wanted)) {
    const fitsName = picomatch(wanted, options);
    return (path, name) => fitsName(name) && !isExcluded(path);
  }
  const fitsPath = picomatch(normal(deep(wanted)), options);
  return (path) => fitsPath(path) && !isExcluded(path);
}

function deep(pattern: string): string {
  return pattern.includes('/') ? pattern : `**/${pattern}`;
}

/** Removes `./`, `//` and a slash at the end, which no relative path has. */
function normal(pattern: string): string {
  const whole = posix.join('.', pattern);
  return whole.endsWith('/') ? whole.slice(0, -1) : whole;
}

/** Returns the folder that a pattern starts with, up to the first glob character; empty for the top. */
function baseOf(pattern: string, picomatch: Picomatch): string {
  if (!pattern.includes('/') || pattern.includes('\\')) return '';
  const { base, isGlob } = picomatch.scan(normal(pattern), options);
  const folder = isGlob ? base : posix.dirname(base);
  return folder === '.' ? '' : folder;
}

/** Returns a relative path and those of the folders above it. */
function pathAndParents(path: string): readonly string[] {
  const names = path.split('/');
  return path === '' ? [] : names.map((_, index) => names.slice(0, index + 1).join('/'));
}
