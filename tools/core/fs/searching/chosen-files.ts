import nodePath from 'node:path';
import { ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import type { UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import type { LeftOutResult } from '../files/left-out.ts';
import { filesBelow, placeAt } from './files-below.ts';

/** Parameters by which a tool takes many files at once. */
export interface FileChoice {
  /** One file; with `glob` the folder. */
  readonly path?: string;
  /** Absolute, as they were confined. */
  readonly paths?: readonly string[];
  readonly glob?: string;
}

/** A file that a tool works on, with the name that its result has for it. */
export interface ChosenFile {
  readonly name: string;
  readonly path: string;
}

export interface ChosenFiles extends LeftOutResult, UnreadableResult {
  readonly files: readonly ChosenFile[];
  /** Files that were chosen, also those over the limit. */
  readonly total: number;
}

export interface GlobRequest {
  readonly path: string;
  readonly glob: string;
  /** Lists links, pipes and devices as well. */
  readonly specialFiles: boolean;
  /** Files that are listed at most. */
  readonly max: number;
}

interface ChoiceOptions {
  /** Files that are listed at most. */
  readonly max: number;
  /** Lists links, pipes and devices as well. @default false */
  readonly specialFiles?: boolean;
}

/** Refuses parameters that do not choose by exactly one of these names. Throws INVALID_PARAMETERS. */
export function refuseUnlessOne(parameters: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const given = names.filter((name) => parameters[name] !== undefined);
  if (given.length === 1) return;
  const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const message = `expected one of ${all}, received ${given.length === 0 ? 'none' : given.join(' and ')}`;
  const [path = names[0] ?? ''] = given;
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "${path}": ${message}.`, { issues: [{ path, message }] });
}

/** The files of a list or a pattern; a pattern is matched in a child process. `root`: the folder of a pattern without `path`. */
export async function chosenFiles(
  { path, paths, glob }: FileChoice,
  [root = '.']: readonly string[],
  { inChild }: Pick<FunctionContext, 'inChild'>,
  { max, specialFiles = false }: ChoiceOptions,
): Promise<ChosenFiles> {
  if (glob === undefined) return listedFiles(paths ?? []);
  const request: GlobRequest = { path: path ?? root, glob, specialFiles, max };
  return (await inChild('./searching/chosen-files.ts#globbedFiles', { ...request })) as ChosenFiles;
}

/** Files that were named one by one. */
export function listedFiles(paths: readonly string[]): ChosenFiles {
  return { files: paths.map((path) => ({ name: path, path })), total: paths.length };
}

/** The files that a pattern finds, without those that hold secrets. Runs in a child process. Throws INVALID_PARAMETERS for a pattern that leaves the folder, NOT_FOUND and EXECUTION_FAILED. */
export async function globbedFiles(
  { path, glob, specialFiles, max }: GlobRequest,
  { controlFiles }: Pick<FunctionContext, 'controlFiles'>,
): Promise<ChosenFiles> {
  const { real, isFile } = placeAt(path);
  if (isFile) throw notAFolder();
  const { paths, leftOut, unreadable } = await filesBelow(real, glob, { parameter: 'glob', specialFiles });
  const all = paths
    .map((name) => ({ name, path: nodePath.join(real, name) }))
    .filter((file) => controlFiles.find(file.path, 'read') === undefined);
  return { files: all.slice(0, max), total: all.length, ...unreadable.result, ...leftOut };
}

function notAFolder(): ToolkitError {
  const message = 'expected a folder, because glob is given, and it is a file';
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "path": ${message}. Leave glob out, or give the folder.`, {
    issues: [{ path: 'path', message }],
  });
}
