import nodePath from 'node:path';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import type { ReplacedResult } from '../../../../plugins/shared/text/utf8.ts';
import { Unreadable, type UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { fileError } from '../files/file-error.ts';
import type { LeftOutResult } from '../files/left-out.ts';
import { filesBelow, placeAt } from './files-below.ts';
import { linePattern } from './line-pattern.ts';
import { type LineMatch, searchFile } from './search-file.ts';

interface SearchParameters {
  readonly pattern: string;
  readonly path: string;
  readonly regex: boolean;
  readonly case_sensitive: boolean;
  readonly glob?: string;
  readonly context: number;
  readonly max_results: number;
}

interface SearchResult extends LeftOutResult, UnreadableResult, ReplacedResult {
  readonly matches: readonly (LineMatch & { readonly path: string })[];
  readonly truncated: boolean;
}

/**
 * Leaves out files that hold secrets. Runs in a child process, so the file system calls are synchronous. Throws INVALID_PARAMETERS, NOT_FOUND
 * and EXECUTION_FAILED.
 */
export async function search(parameters: SearchParameters, { controlFiles }: FunctionContext): Promise<SearchResult> {
  const { path, glob = '**/*', context, max_results } = parameters;
  const pattern = linePattern(parameters);
  const place = placeAt(path);
  // One more than wanted tells whether the list is complete.
  const wanted = max_results + 1;
  const found: (LineMatch & { path: string })[] = [];
  let replaced = 0;
  const { paths, leftOut, unreadable } = place.isFile
    ? { paths: [''], leftOut: {}, unreadable: new Unreadable(place.real) }
    : await filesBelow(place.real, glob, { parameter: 'glob' });
  for (const name of paths) {
    const file = nodePath.join(place.real, name);
    if (controlFiles.find(file, 'read') !== undefined) continue;
    try {
      const { matches, replaced: inFile } = searchFile(file, pattern, { context, limit: wanted - found.length });
      replaced += inFile;
      found.push(...matches.map((match) => ({ path: name === '' ? nodePath.basename(path) : name, ...match })));
    } catch (error) {
      if (place.isFile) throw fileError(error, 'search', path);
      unreadable.add(file, error);
    }
    if (found.length >= wanted) break;
  }
  return {
    matches: found.slice(0, max_results),
    truncated: found.length > max_results,
    ...(replaced === 0 ? {} : { replaced }),
    ...unreadable.result,
    ...leftOut,
  };
}
