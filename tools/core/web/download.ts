import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { exists, isOfFile, saveStream } from '../../../plugins/shared/confined-files/save-stream.ts';
import { fileError } from '../fs/files/file-error.ts';
import { exchange } from './exchange.ts';
import { notFollowed, statusError } from './fetch-error.ts';
import { mediaTypeOf } from './media-type.ts';
import { closeAndReturn } from './read-text.ts';

interface DownloadParameters {
  readonly url: string;
  readonly path: string;
  readonly max_bytes: number;
  readonly overwrite: boolean;
  readonly sha256?: string;
}

interface Download {
  readonly path: string;
  readonly bytes: number;
  readonly content_type: string;
  readonly sha256: string;
}

const timeoutMs = 600_000;

/** Bytes between two progress reports. */
const progressEvery = 1024 * 1024;

/**
 * Saves the content of an address to a file: all of it, or nothing. Throws what an exchange throws, the code of a status from
 * 400 on, OUTPUT_TOO_LARGE, and EXECUTION_FAILED for a redirect without a web address, a wrong hash, and the path.
 */
export async function download(
  { url, path, max_bytes: maxBytes, overwrite, sha256: wanted }: DownloadParameters,
  context: FunctionContext,
): Promise<Download> {
  if (!overwrite && (await exists(path))) throw alreadyThere(path);
  // No compression, so that the size is known before, and the hash is that of the published file.
  const headers = new Headers({ accept: '*/*', 'accept-encoding': 'identity' });
  return exchange(url, { method: 'GET', headers }, timeoutMs, context, async ({ response, url: final }) => {
    const { status, headers } = response;
    if (status >= 400) throw await closeAndReturn(response, statusError(status, final, headers));
    if (status >= 300) throw await closeAndReturn(response, notFollowed(status, final));
    const declared = Number(headers.get('content-length') ?? 0);
    if (declared > maxBytes) throw await closeAndReturn(response, tooLarge(final, maxBytes));
    const total = headers.has('content-encoding') ? 0 : declared;
    try {
      const saved = await saveStream((response.body ?? []) as AsyncIterable<Uint8Array>, path, {
        overwrite,
        maxBytes,
        tooLarge: () => tooLarge(final, maxBytes),
        onBytes: progressOf(context, total),
        check: ({ sha256 }) => {
          if (wanted !== undefined && wanted.toLowerCase() !== sha256) throw otherHash(final, wanted, sha256);
        },
      });
      return { path, ...saved, content_type: mediaTypeOf(headers).essence };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(path);
      throw isOfFile(error) ? fileError(error, 'write', path) : error;
    }
  });
}

/** Returns a function that reports progress. `total`: 0 when unknown. */
function progressOf(context: FunctionContext, total: number): (bytes: number) => void {
  let reported = 0;
  return (bytes) => {
    if (bytes - reported < progressEvery) return;
    reported = bytes;
    context.progress({ progress: bytes, ...(total > 0 ? { total } : {}), message: `${bytes} bytes` });
  };
}

function alreadyThere(path: string): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    `"${excerpt(path)}" exists already and nothing was saved. Set overwrite to true to replace it, or choose another path.`,
    { file: path },
  );
}

function tooLarge(url: string, maxBytes: number): ToolkitError {
  return new ToolkitError(
    'OUTPUT_TOO_LARGE',
    `${excerpt(url)} is larger than ${maxBytes} bytes and was not saved. Raise max_bytes to take it.`,
    { maxBytes },
  );
}

function otherHash(url: string, wanted: string, received: string): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    `${excerpt(url)} was not saved, because its content is not the expected one: expected sha256 ${wanted.toLowerCase()}, received ${received}. Check the hash, or where it comes from.`,
  );
}
