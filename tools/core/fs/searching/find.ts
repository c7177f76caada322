import type { UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { folderAt } from '../files/folder-at.ts';
import type { LeftOutResult } from '../files/left-out.ts';
import { filesBelow } from './files-below.ts';

interface FindParameters {
  readonly pattern: string;
  readonly path: string;
  readonly ignore: readonly string[];
  readonly max_results: number;
}

interface FindResult extends LeftOutResult, UnreadableResult {
  readonly paths: readonly string[];
  readonly truncated: boolean;
}

/** The files below a folder whose paths match. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED. */
export async function find({ pattern, path, ignore, max_results }: FindParameters): Promise<FindResult> {
  const folder = await folderAt(path);
  const folders = pattern.endsWith('/');
  const bare = pattern.replace(/\/+$/, '');
  const { paths, leftOut, unreadable } = await filesBelow(folder, bare, { parameter: 'pattern', ignore, specialFiles: true, folders });
  return { paths: paths.slice(0, max_results), truncated: paths.length > max_results, ...unreadable.result, ...leftOut };
}
