import fs, { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { Chain, ChainEnd } from './chain.ts';
import type { DiskAccess } from './disk-access.ts';
import { isErrno } from './trail-error.ts';
import { refuseOtherThanFile } from './trail-file.ts';

/** Fixed size of the file, so that one write in place replaces the whole content. */
const headBytes = 192;

const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Reads that may fail: another process may be in the middle of a write. */
const attempts = 5;

/** Content of `<trail>.head`: the last record, nothing (no file, or an empty one), or a text that does not verify. */
export type Head = { readonly type: 'record'; readonly end: ChainEnd } | { readonly type: 'none' } | { readonly type: 'broken' };

/**
 * `<trail>.head` names the last record of a trail, so that a record cut off at the end is noticed. It is written after the records, once per
 * turn of the event loop: after a crash it may name an earlier record, never a later one.
 */
export class HeadFile {
  readonly #handle: FileHandle;
  readonly #chain: Chain;
  readonly #pace: DiskAccess;

  private constructor(handle: FileHandle, chain: Chain, pace: DiskAccess) {
    this.#handle = handle;
    this.#chain = chain;
    this.#pace = pace;
  }

  /** Opens the head file, or creates it with mode 0600. */
  static async open(trail: string, chain: Chain, pace: DiskAccess): Promise<HeadFile> {
    const file = headPath(trail);
    await refuseOtherThanFile(file);
    return new HeadFile(await open(file, flags, 0o600), chain, pace);
  }

  async write(end: ChainEnd): Promise<void> {
    const bytes = Buffer.from(`${this.#chain.sealHead(end).padEnd(headBytes - 1)}\n`);
    await this.#pace.run(
      () => fs.writeSync(this.#handle.fd, bytes, 0, bytes.length, 0),
      async () => (await this.#handle.write(bytes, 0, bytes.length, 0)).bytesWritten,
    );
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

export async function readHead(trail: string, chain: Chain): Promise<Head> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const text = await readText(headPath(trail));
    if (text === '') return { type: 'none' };
    const end = chain.readHead(text);
    if (end !== undefined) return { type: 'record', end };
  }
  return { type: 'broken' };
}

export function headPath(trail: string): string {
  return `${trail}.head`;
}

async function readText(file: string): Promise<string> {
  try {
    // Own text: the head of the trail
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return '';
    throw error;
  }
}
