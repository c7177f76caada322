import { stat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { fileError } from '../fs/files/file-error.ts';
import { type LeftOutResult, leftOutResult } from '../fs/files/git-exclusions.ts';
import { destinationError, kindAt } from '../fs/trees/destination.ts';
import { placeFile } from '../fs/trees/place-tree.ts';
import { withStaging } from '../fs/trees/staging.ts';
import type { Packed } from './pack-members.ts';

interface CreateParameters {
  readonly paths: readonly string[];
  readonly destination: string;
  readonly overwrite: boolean;
  readonly exclude: readonly string[];
}

interface CreateResult extends LeftOutResult {
  readonly path: string;
  readonly entries: number;
  readonly bytes: number;
}

/**
 * Creates a zip file. A thread writes it under a temporary name, and it is renamed when it is complete. Throws NOT_FOUND,
 * EXECUTION_FAILED, and POLICY_DENIED for files that hold secrets.
 */
export function createZip(parameters: CreateParameters, context: FunctionContext): Promise<CreateResult> {
  return create(parameters, context, (options) => context.inThread('./pack-zip.ts#packZip', options));
}

/** Creates a tar archive, as `createZip` does a zip file. */
export function createTar(
  { gzip, ...parameters }: CreateParameters & { readonly gzip: boolean },
  context: FunctionContext,
): Promise<CreateResult> {
  return create(parameters, context, (options) => context.inThread('./pack-tar.ts#packTar', { ...options, gzip }));
}

async function create(
  { paths, destination, overwrite, exclude }: CreateParameters,
  { signal }: FunctionContext,
  pack: (options: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<CreateResult> {
  try {
    await refuseDestination(destination, overwrite);
    return await withStaging(destination, async (staging) => {
      const staged = nodePath.join(staging, 'archive');
      const { entries, leftOut } = (await pack({ paths, skip: [destination, staging], exclude, staged })) as Packed;
      const { size } = await stat(staged);
      signal.throwIfAborted();
      await placeFile(staged, destination, overwrite);
      return { path: destination, entries, bytes: size, ...leftOutResult(leftOut) };
    });
  } catch (error) {
    signal.throwIfAborted();
    throw fileError(error, 'write', destination);
  }
}

async function refuseDestination(destination: string, overwrite: boolean): Promise<void> {
  const there = await kindAt(destination);
  if (there === 'folder') throw destinationError(destination, 'is a folder. Add the name that the archive shall have to destination');
  if (there === 'nothing' || overwrite) return;
  throw destinationError(destination, 'exists already. Set overwrite to true to replace it, or choose another destination');
}
