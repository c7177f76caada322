import { ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import type { ChosenFiles, GlobRequest } from './globbed-files.ts';

/** Parameters with which a tool takes many files at once. */
export interface FileChoice {
  /** One file; with `glob` the folder. */
  readonly path?: string;
  /** Absolute, confined paths. */
  readonly paths?: readonly string[];
  readonly glob?: string;
}

interface ChoiceOptions {
  /** Maximum number of files. */
  readonly max: number;
  /** Includes links, pipes and devices. @default false */
  readonly specialFiles?: boolean;
}

/** Refuses parameters that do not have exactly one of these names. Throws INVALID_PARAMETERS. */
export function refuseUnlessOne(parameters: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const given = names.filter((name) => parameters[name] !== undefined);
  if (given.length === 1) return;
  const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const message = `expected one of ${all}, received ${given.length === 0 ? 'none' : given.join(' and ')}`;
  const [path = names[0] ?? ''] = given;
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "${path}": ${message}.`, { issues: [{ path, message }] });
}

/**
 * Returns the files of a list or a pattern; a pattern is matched in a child process. `root`: the folder of a pattern without
 * `path`.
 */
export async function chosenFiles(
  { path, paths, glob }: FileChoice,
  [root = '.']: readonly string[],
  { inChild }: Pick<FunctionContext, 'inChild'>,
  { max, specialFiles = false }: ChoiceOptions,
): Promise<ChosenFiles> {
  if (glob === undefined) return listedFiles(paths ?? []);
  const request: GlobRequest = { path: path ?? root, glob, specialFiles, max };
  return (await inChild('./searching/globbed-files.ts#globbedFiles', { ...request })) as ChosenFiles;
}

/** Returns files that the caller listed one by one. */
export function listedFiles(paths: readonly string[]): ChosenFiles {
  return { files: paths.map((path) => ({ name: path, path })), total: paths.length };
}
