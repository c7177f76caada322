import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { fileError } from '../fs/files/file-error.ts';
import { putWhereNothingIs, temporaryBeside } from '../fs/files/staged-file.ts';
import { refuseMoved } from '../fs/files/unmoved.ts';
import { exchange } from './exchange.ts';
import { notFollowed, statusError } from './fetch-error.ts';
import { mediaTypeOf } from './media-type.ts';
import { refused } from './read-text.ts';

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

/** Bytes between two notes of progress. */
const progressEvery = 1024 * 1024;

/**
 * Saves what an address gives to a file: all of it, or nothing. Throws what an exchange throws, the code of a status from 400 on,
 * OUTPUT_TOO_LARGE, and EXECUTION_FAILED for a redirect that leads nowhere, for a hash that is another one and for the place.
 */
export async function download(
  { url, path, max_bytes: maxBytes, overwrite, sha256: wanted }: DownloadParameters,
  context: FunctionContext,
): Promise<Download> {
  if (!overwrite && (await isThere(path))) throw alreadyThere(path);
  // Without compression, so that the size is known before and a hash is that of the file as it is published.
  const headers = new Headers({ accept: '*/*', 'accept-encoding': 'identity' });
  return exchange(url, { method: 'GET', headers }, timeoutMs, context, async ({ response, url: final }) => {
    const { status, headers } = response;
    if (status >= 400) throw await refused(response, statusError(status, final, headers));
    if (status >= 300) throw await refused(response, notFollowed(status, final));
    const declared = Number(headers.get('content-length') ?? 0);
    if (declared > maxBytes) throw await refused(response, tooLarge(final, maxBytes));
    const temporary = temporaryBeside(path);
    try {
      await mkdir(nodePath.dirname(path), { recursive: true });
      const saved = await save(
        response,
        temporary,
        { maxBytes, path, url: final, total: headers.has('content-encoding') ? 0 : declared },
        context,
      );
      if (wanted !== undefined && wanted.toLowerCase() !== saved.sha256) throw otherHash(final, wanted, saved.sha256);
      if (overwrite) await rename(temporary, path);
      else await putWhereNothingIs(temporary, path);
      return { path, ...saved, content_type: mediaTypeOf(headers).essence };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(path);
      throw isOfFile(error) ? fileError(error, 'write', path) : error;
    } finally {
      await rm(temporary, { force: true });
    }
  });
}

interface Saving {
  readonly maxBytes: number;
  readonly path: string;
  readonly url: string;
  /** 0 when it is not known. */
  readonly total: number;
}

async function save(
  response: Response,
  temporary: string,
  { maxBytes, path, url, total }: Saving,
  context: FunctionContext,
): Promise<{ bytes: number; sha256: string }> {
  const file: FileHandle = await open(temporary, 'wx');
  try {
    await refuseMoved(file.fd, temporary, path);
    const hash = createHash('sha256');
    let bytes = 0;
    let noted = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(url, maxBytes);
      hash.update(chunk);
      // In one call of `write` a part of it may be left.
      await file.writeFile(chunk);
      if (bytes - noted >= progressEvery) {
        noted = bytes;
        context.progress({ progress: bytes, ...(total > 0 ? { total } : {}), message: `${bytes} bytes` });
      }
    }
    await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

function isOfFile(error: unknown): boolean {
  return (
    error instanceof Error &&
    'syscall' in error &&
    ['open', 'mkdir', 'rename', 'link', 'write', 'fsync', 'close'].includes(String(error.syscall))
  );
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
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
