import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { candidatePattern } from './candidate-pattern.ts';
import { namedCandidates } from './named-candidates.ts';
import type { ManyFiles, SearchParameters, SearchRequest, SearchResult } from './search-files.ts';

/** Files that are read in less time than a program takes to start. */
const fewFiles = 400;

/** A glob for names that ripgrep takes for the same: letters, digits, `*` and one list in braces. */
const plainGlob = /^[\w.*-]+(?:\{[\w.-]+(?:,[\w.-]+)+\})?$/;

/**
 * Searches the lines of files. Where there are many, ripgrep names those in which there may be a match; a child process opens, checks and matches
 * each of them, and all files where ripgrep cannot say. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED.
 */
export async function search(parameters: SearchParameters, context: FunctionContext): Promise<SearchResult> {
  const pattern = candidatePattern(parameters);
  const inChild = (request: SearchRequest): Promise<SearchResult | ManyFiles> =>
    context.inChild('./searching/search-files.ts#searchFiles', { ...request }) as Promise<SearchResult | ManyFiles>;
  if (pattern === undefined) return (await inChild(parameters)) as SearchResult;
  const first = await inChild({ ...parameters, maxFiles: fewFiles });
  if (!('many' in first)) return first;
  const { wanted, seen } = first.many;
  // A program that reads the whole tree for a few of its files takes longer than they do.
  const candidates =
    wanted * 8 < seen ? undefined : await namedCandidates({ folder: parameters.path, pattern, globs: globsOf(parameters) }, context);
  return (await inChild({ ...parameters, ...(candidates === undefined ? {} : { candidates }) })) as SearchResult;
}

/** Packages and what is git's are left out as `filesBelow` leaves them out. */
function globsOf({ glob = '**/*' }: SearchParameters): readonly string[] {
  const named = glob.split(/[/{},!]/);
  return [
    ...(plainGlob.test(glob) ? [glob] : []),
    ...(named.includes('node_modules') ? [] : ['!node_modules/']),
    ...(named.includes('.git') ? [] : ['!.git/']),
  ];
}
