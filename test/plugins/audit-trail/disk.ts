import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sinon from 'sinon';

export interface Disk {
  /** How often records were written. */
  readonly writes: () => number;
  /** Bytes until a write finds no room; a write that does not fit is cut, as the system does it. */
  room: number;
  /** Error code of a write without room. */
  code: string;
  /** How often somebody waited for the disk. */
  readonly syncs: () => number;
  /** The error of waiting for the disk. */
  syncError: Error | undefined;
}

/** Every file that is opened from now on is on this disk, until `sinon.restore()`. */
export async function disk(): Promise<Disk> {
  const handle = await open(fileURLToPath(import.meta.url));
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { writeSync } = fs;
  let writes = 0;
  const { datasync } = prototype;
  const state = { room: Number.POSITIVE_INFINITY, code: 'ENOSPC', syncError: undefined as Error | undefined };
  sinon.stub(fs, 'writeSync').callsFake(((file: number, bytes: Uint8Array, ...rest: number[]) => {
    // Output, and what is written in place, needs no room.
    if (file < 3 || rest.length > 0) return writeSync(file, bytes, ...rest);
    writes++;
    if (state.room <= 0) throw errno(state.code);
    const part = bytes.subarray(0, state.room);
    state.room -= part.length;
    return writeSync(file, part);
  }) as never);
  const sync = sinon.stub(prototype, 'datasync').callsFake(async function (this: FileHandle) {
    if (state.syncError !== undefined) throw state.syncError;
    return datasync.call(this);
  });
  return Object.assign(state, { writes: () => writes, syncs: () => sync.callCount });
}

function errno(code: string): Error {
  return Object.assign(new Error(`${code}: as the system says it, write`), { code });
}
