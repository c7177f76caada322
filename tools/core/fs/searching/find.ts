import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import type { UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { folderAt } from '../files/folder-at.ts';
import type { LeftOutResult } from '../files/git-exclusions.ts';
import { pageOf } from '../files/page-of.ts';
import { filesBelow } from './files-below.ts';

interface FindParameters {
  readonly pattern: string;
  readonly path: string;
  readonly ignore: readonly string[];
  readonly max_results: number;
  readonly offset: number;
}

interface FindResult extends LeftOutResult, UnreadableResult {
  readonly paths: readonly string[];
  readonly truncated: boolean;
  readonly next_offset?: number;
}

/** Returns the files below a folder whose paths match. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED. */
export async function find(
  { pattern, path, ignore, max_results: maxResults, offset }: FindParameters,
  { output }: FunctionContext,
): Promise<FindResult> {
  const folder = await folderAt(path);
  const folders = pattern.endsWith('/');
  const bare = pattern.replace(/\/+$/, '');
  const { paths, leftOut, unreadable } = await filesBelow(folder, bare, { parameter: 'pattern', ignore, specialFiles: true, folders });
  const around = { ...unreadable.result, ...leftOut };
  const { shown, end } = pageOf(paths, { offset, maxResults, budget: output.budget, around });
  return { paths: shown, ...end, ...around };
}
