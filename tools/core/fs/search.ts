import { statSync } from 'node:fs';
import nodePath from 'node:path';
import { ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { fileError, notAFile } from './file-error.ts';
import { linePattern } from './line-pattern.ts';
import { type LineMatch, searchFile } from './search-file.ts';
import { isRealPath, moved } from './unmoved.ts';

interface SearchParameters {
  readonly pattern: string;
  readonly path: string;
  readonly regex: boolean;
  readonly case_sensitive: boolean;
  readonly glob?: string;
  readonly context: number;
  readonly max_results: number;
}

interface SearchResult {
  readonly matches: readonly (LineMatch & { readonly path: string })[];
  readonly truncated: boolean;
}

/** Runs in a worker thread, so the file system calls are synchronous. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED. */
export async function search(parameters: SearchParameters, { logger }: FunctionContext): Promise<SearchResult> {
  const { path, glob, context, max_results } = parameters;
  const pattern = linePattern(parameters);
  const place = placeOf(path);
  // One more than wanted tells whether the list is complete.
  const wanted = max_results + 1;
  const found: (LineMatch & { path: string })[] = [];
  for (const name of place.isFile ? [''] : await filesBelow(place.real, glob)) {
    const file = nodePath.join(place.real, name);
    try {
      const matches = searchFile(file, pattern, { context, limit: wanted - found.length });
      found.push(...matches.map((match) => ({ path: name === '' ? nodePath.basename(path) : name, ...match })));
    } catch (error) {
      if (place.isFile) throw fileError(error, 'search', path);
      logger.warn('file was not searched', { file, errno: (error as NodeJS.ErrnoException).code });
    }
    if (found.length >= wanted) break;
  }
  return { matches: found.slice(0, max_results), truncated: found.length > max_results };
}

function placeOf(path: string): { real: string; isFile: boolean } {
  try {
    const stats = statSync(path);
    if (!isRealPath(path)) throw moved(path);
    if (!stats.isFile() && !stats.isDirectory()) throw notAFile(stats, 'search', path);
    return { real: path, isFile: stats.isFile() };
  } catch (error) {
    throw fileError(error, 'search', path);
  }
}

/** Relative paths, in code unit order. Nothing that is reached through a symbolic link or lies outside the folder. */
async function filesBelow(folder: string, pattern = '**/*'): Promise<string[]> {
  const { glob } = await import('tinyglobby');
  const named = pattern.split(/[/{},!]/);
  if (nodePath.isAbsolute(pattern.replace(/^!/, '')) || named.includes('..')) throw leavingPattern(pattern);
  const paths = await glob(patternsFor(pattern), {
    cwd: folder,
    dot: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['node_modules', '.git'].filter((name) => !named.includes(name)).map((name) => `**/${name}/**`),
  });
  const known = new Map<string, boolean>();
  const isBelow = (file: string): boolean => {
    const parent = nodePath.join(folder, nodePath.dirname(file));
    const isReal = known.get(parent) ?? isRealPath(parent);
    known.set(parent, isReal);
    return isReal && !file.startsWith('../');
  };
  return paths.filter(isBelow).sort();
}

/** A pattern without a slash is for names at any depth; one with a leading `!` takes files away. */
function patternsFor(pattern: string): string[] {
  const negated = pattern.startsWith('!');
  const positive = negated ? pattern.slice(1) : pattern;
  const deep = positive.includes('/') ? positive : `**/${positive}`;
  return negated ? ['**/*', `!${deep}`] : [deep];
}

function leavingPattern(pattern: string): ToolkitError {
  const message = `expected a pattern for files below the searched folder, received "${pattern}". Set "path" to the folder instead`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "glob": ${message}.`, { issues: [{ path: 'glob', message }] });
}
