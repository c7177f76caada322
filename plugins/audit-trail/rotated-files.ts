import { type FileHandle, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isErrno } from './trail-error.ts';

export interface RotatedFile {
  readonly number: number;
  readonly path: string;
}

/** Returns `<trail>.1`, `<trail>.2`, …, oldest first. */
export async function rotatedFiles(trail: string): Promise<readonly RotatedFile[]> {
  const directory = path.dirname(trail);
  const prefix = `${path.basename(trail)}.`;
  const numbers = (await namesIn(directory))
    .filter((name) => name.startsWith(prefix) && /^[1-9]\d{0,11}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)));
  return numbers.sort((a, b) => a - b).map((number) => ({ number, path: `${trail}.${number}` }));
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Size of a read, in bytes. Lines are far shorter: see `maxRecordBytes`. */
const windowBytes = 64 * 1024;

/** Returns the first line that has a line end; undefined without one. */
export async function firstLine(handle: FileHandle): Promise<Buffer | undefined> {
  const head = await readPiece(handle, 0, windowBytes);
  const end = head.indexOf(10);
  return end < 0 ? undefined : head.subarray(0, end);
}

/** Size of a read that holds any batch, in bytes. */
const wideWindowBytes = 1024 * 1024;

/** The end of a file: its last link of the chain, and everything after it. */
export interface Tail {
  /** Without its line end. Undefined when the bytes that were read have no link. */
  readonly line?: Buffer;
  readonly rest: Buffer;
}

/** Finds the last line that has a line end and is not unsealed. `isUnsealed` is true for a line that may follow the last link. */
export async function readTail(handle: FileHandle, size: number, isUnsealed: (line: Buffer) => boolean): Promise<Tail> {
  const near = findTail(await readPiece(handle, Math.max(0, size - windowBytes), windowBytes), isUnsealed);
  if (near.line !== undefined || size <= windowBytes) return near;
  return findTail(await readPiece(handle, Math.max(0, size - wideWindowBytes), wideWindowBytes), isUnsealed);
}

function findTail(bytes: Buffer, isUnsealed: (line: Buffer) => boolean): Tail {
  for (let end = bytes.lastIndexOf(10); end >= 0; ) {
    const before = end === 0 ? -1 : bytes.lastIndexOf(10, end - 1);
    const line = bytes.subarray(before + 1, end);
    if (!isUnsealed(line)) return { line, rest: bytes.subarray(end + 1) };
    end = before;
  }
  return { rest: bytes };
}

/** Reads at most `length` bytes from a position; fewer where the file ends before. */
export async function readPiece(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Opens a file, passes it to `use`, and closes it. */
export async function withFile<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r');
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
