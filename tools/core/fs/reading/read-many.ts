import { messageOf } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { OutputRoom } from '../../../../plugins/shared/output-room/output-room.ts';
import { readText, type TextPart } from './read.ts';

interface ReadManyParameters {
  readonly paths: readonly string[];
  /** Limit for each file. */
  readonly max_bytes: number;
}

type ReadFile = { readonly path: string } & (TextPart | { readonly error: string });

/** Maximum size of all files in one result, in bytes. */
const maxTotalBytes = 4_194_304;

/**
 * Returns the beginnings of several text files, each with its content or its error. Room that a file does not use goes to the
 * files after it.
 */
export async function readMany(
  { paths, max_bytes }: ReadManyParameters,
  { output }: FunctionContext,
): Promise<{ files: readonly ReadFile[] }> {
  const files: ReadFile[] = [];
  let left = maxTotalBytes;
  let room = output.budget === undefined ? undefined : output.budget - JSON.stringify({ files: [] }).length;
  for (const [index, path] of paths.entries()) {
    const share = room === undefined ? undefined : Math.floor(room / (paths.length - index));
    const file = await readOne(path, Math.min(max_bytes, left), share);
    if ('content' in file) left -= Buffer.byteLength(file.content);
    if (room !== undefined) room -= JSON.stringify(file).length + 1;
    files.push(file);
  }
  return { files };
}

async function readOne(path: string, maxBytes: number, share: number | undefined): Promise<ReadFile> {
  if (maxBytes <= 0) {
    return { path, error: `Not read: the files before it fill the ${maxTotalBytes} bytes of one answer. Ask for it in another call.` };
  }
  const overhead = { path, content: '', size: Number.MAX_SAFE_INTEGER, truncated: true, next_offset: Number.MAX_SAFE_INTEGER, more: '' };
  try {
    return { path, ...(await readText(path, maxBytes, new OutputRoom(share, overhead))) };
  } catch (error) {
    return { path, error: messageOf(error) };
  }
}
