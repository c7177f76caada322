import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { candidatePattern } from './candidate-pattern.ts';
import { listCandidates } from './ripgrep-candidates.ts';
import type { SearchParameters, SearchRequest, SearchResult, TooManyFiles } from './search-files.ts';

/** Number of files that are searched faster than ripgrep starts. */
const fewFiles = 400;

/** Glob that means the same to ripgrep: letters, digits, `*` and one list in braces. */
const plainGlob = /^[\w.*-]+(?:\{[\w.-]+(?:,[\w.-]+)+\})?$/;

/**
 * Searches the lines of files. Where there are many, ripgrep lists those that may have a match; a child process opens, checks
 * and matches each of them, or all files where ripgrep is not available. Throws INVALID_PARAMETERS, NOT_FOUND and
 * EXECUTION_FAILED.
 */
export async function search(parameters: SearchParameters, context: FunctionContext): Promise<SearchResult> {
  const pattern = candidatePattern(parameters);
  const inChild = (request: SearchRequest): Promise<SearchResult | TooManyFiles> =>
    context.inChild('./searching/search-files.ts#searchFiles', { ...request }) as Promise<SearchResult | TooManyFiles>;
  if (pattern === undefined) return (await inChild(parameters)) as SearchResult;
  const first = await inChild({ ...parameters, maxFiles: fewFiles });
  if (!('many' in first)) return first;
  const { wanted, seen } = first.many;
  // For few files, ripgrep on the whole tree takes longer than reading them.
  const candidates =
    wanted * 8 < seen ? undefined : await listCandidates({ folder: parameters.path, pattern, globs: globsOf(parameters) }, context);
  return (await inChild({ ...parameters, ...(candidates === undefined ? {} : { candidates }) })) as SearchResult;
}

/** Returns the globs for ripgrep: excludes packages and git's own files as `filesBelow` does. */
function globsOf({ glob = '**/*' }: SearchParameters): readonly string[] {
  const named = glob.split(/[/{},!]/);
  return [
    ...(plainGlob.test(glob) ? [glob] : []),
    ...(named.includes('node_modules') ? [] : ['!node_modules/']),
    ...(named.includes('.git') ? [] : ['!.git/']),
  ];
}
