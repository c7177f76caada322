import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writevSync } from 'node:fs';
import path from 'node:path';

/**
 * Length from which a message goes through the shared memory, in bytes. A pipe would deliver it in a hundred pieces, each
 * after a wait.
 */
const minMemoryBytes = 64 * 1024;

/** Longest message in the memory, in bytes. Longer ones go through the pipe: copying more would block the event loop. */
const maxMemoryBytes = 32 * 1024 * 1024;

/** An in-memory file system. */
const memoryFolder = '/dev/shm';

/**
 * Stands in place of a length: the message lies in the memory, and the next four bytes are its length. No message through the
 * pipe has this length.
 */
export const memoryMarker = 0xffffffff;

/**
 * Opens memory for long messages: a file without a name, which is gone with the last process that has it open. Returns
 * undefined where the system has none, or no descriptor is left.
 */
export function openMessageMemory(): number | undefined {
  const file = path.join(memoryFolder, `toolkit-${randomUUID()}`);
  try {
    const descriptor = openSync(file, 'wx+', 0o600);
    unlinkSync(file);
    return descriptor;
  } catch {
    return undefined;
  }
}

/** Closes the memory. */
export function closeMessageMemory(descriptor: number | undefined): void {
  if (descriptor !== undefined) closeSync(descriptor);
}

/**
 * Returns the bytes to send through the pipe: the message itself, or for a long one, a note that it lies in the memory. The
 * memory has room for one message, so use this only where the sender then waits for an answer, as with tasks and answers.
 */
export function toPipeParts(parts: readonly Buffer[], memory: number | undefined): readonly Buffer[] {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (memory === undefined || bytes < minMemoryBytes || bytes > maxMemoryBytes) return parts;
  try {
    // A memory that is full takes only a part.
    if (writevSync(memory, [...parts], 0) !== bytes) return parts;
  } catch {
    return parts;
  }
  const note = Buffer.alloc(8);
  note.writeUInt32BE(memoryMarker);
  note.writeUInt32BE(bytes, 4);
  return [note];
}

/** Reads the message in the memory. Throws RangeError for a length that no message there has. */
export function readFromMemory(memory: number, bytes: number): Buffer {
  if (!(bytes <= maxMemoryBytes)) throw new RangeError(`a message of ${bytes} bytes in the memory, expected at most ${maxMemoryBytes}`);
  const message = Buffer.allocUnsafeSlow(bytes);
  for (let offset = 0; offset < bytes; ) {
    const bytesRead = readSync(memory, message, offset, bytes - offset, offset);
    if (bytesRead === 0) throw new RangeError(`a message of ${bytes} bytes in the memory, found ${offset}`);
    offset += bytesRead;
  }
  return message;
}

/** Gives the pages of the last message back to the system. */
export function emptyMemory(memory: number | undefined): void {
  if (memory !== undefined) ftruncateSync(memory);
}
