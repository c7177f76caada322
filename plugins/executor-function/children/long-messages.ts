import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writevSync } from 'node:fs';
import path from 'node:path';

/** From so many bytes on a message lies in the memory that both have open: through a pipe it would come in a hundred pieces, each after a wait. */
const minBytes = 64 * 1024;

/** Longer ones go through the pipe: a copy of more would hold the event loop. */
const maxBytes = 32 * 1024 * 1024;

/** A file system in memory. */
const folder = '/dev/shm';

/** In place of a length: the message lies in the memory, and the four bytes behind say how long it is. No message of this length goes through the pipe. */
export const memoryMark = 0xffffffff;

/**
 * Opens memory for long messages: a file without a name, gone with the last process that has it open. Undefined where the system has none,
 * or no descriptor is left.
 */
export function openMessageMemory(): number | undefined {
  const file = path.join(folder, `toolkit-${randomUUID()}`);
  try {
    const descriptor = openSync(file, 'wx+', 0o600);
    unlinkSync(file);
    return descriptor;
  } catch {
    return undefined;
  }
}

/** Gives the memory back. */
export function closeMessageMemory(descriptor: number | undefined): void {
  if (descriptor !== undefined) closeSync(descriptor);
}

/**
 * Returns what goes through the pipe for a message: the message itself, or where it is long, that it lies in the memory, which has room for one. For
 * messages after which nothing is sent before the other side has answered: tasks and answers.
 */
export function throughPipe(parts: readonly Buffer[], memory: number | undefined): readonly Buffer[] {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (memory === undefined || bytes < minBytes || bytes > maxBytes) return parts;
  try {
    // A memory that is full takes a part.
    if (writevSync(memory, [...parts], 0) !== bytes) return parts;
  } catch {
    return parts;
  }
  const note = Buffer.alloc(8);
  note.writeUInt32BE(memoryMark);
  note.writeUInt32BE(bytes, 4);
  return [note];
}

/** Reads the message that lies in the memory. Throws RangeError for a length that none there has. */
export function fromMemory(memory: number, bytes: number): Buffer {
  if (!(bytes <= maxBytes)) throw new RangeError(`a message of ${bytes} bytes in the memory, expected at most ${maxBytes}`);
  const message = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at < bytes; ) {
    const read = readSync(memory, message, at, bytes - at, at);
    if (read === 0) throw new RangeError(`a message of ${bytes} bytes in the memory, found ${at}`);
    at += read;
  }
  return message;
}

/** Gives the pages of the last message back to the system. */
export function emptyMemory(memory: number | undefined): void {
  if (memory !== undefined) ftruncateSync(memory);
}
