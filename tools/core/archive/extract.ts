import { mkdir } from 'node:fs/promises';
import nodePath from 'node:path';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { fileError } from '../fs/files/file-error.ts';
import { destinationError, kindAt } from '../fs/trees/destination.ts';
import { placeFolder } from '../fs/trees/place-tree.ts';
import { withStaging } from '../fs/trees/staging.ts';
import type { Unpacked } from './unpack-options.ts';

interface ExtractParameters {
  readonly path: string;
  readonly destination: string;
  readonly overwrite: boolean;
  readonly max_bytes: number;
}

interface ExtractResult extends Unpacked {
  readonly destination: string;
}

/**
 * Extracts all of an archive or nothing: a thread writes into a temporary folder, which is moved to the destination at the end.
 * Throws NOT_FOUND, EXECUTION_FAILED, OUTPUT_TOO_LARGE beyond the limits, and POLICY_DENIED for control files.
 */
export function extractZip(parameters: ExtractParameters, context: FunctionContext): Promise<ExtractResult> {
  return extract(parameters, context, (options) => context.inThread('./unpack-zip.ts#unpackZip', options));
}

/** Extracts a tar archive, as `extractZip` does a zip file. */
export function extractTar(
  { strip, ...parameters }: ExtractParameters & { readonly strip: number },
  context: FunctionContext,
): Promise<ExtractResult> {
  return extract(parameters, context, (options) => context.inThread('./unpack-tar.ts#unpackTar', { ...options, strip }));
}

async function extract(
  { path, destination, overwrite, max_bytes }: ExtractParameters,
  { signal }: FunctionContext,
  unpack: (options: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<ExtractResult> {
  try {
    if ((await kindAt(destination)) === 'file')
      throw destinationError(destination, 'is a file, expected a folder or nothing. Choose another destination');
    return await withStaging(destination, async (staging) => {
      const folder = nodePath.join(staging, 'tree');
      await mkdir(folder);
      const unpacked = (await unpack({ path, folder, destination, max_bytes })) as Unpacked;
      signal.throwIfAborted();
      await placeFolder(folder, destination, overwrite, staging);
      return { destination, ...unpacked };
    });
  } catch (error) {
    signal.throwIfAborted();
    throw fileError(error, 'write', destination);
  }
}
