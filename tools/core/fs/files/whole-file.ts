import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { fileError, notAFile } from './file-error.ts';
import { isStillAt, movedError } from './path-race.ts';

/** Facts that identify a file and the version of its content. */
export interface FileState {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
}

/** Maximum size of a file that is changed as a whole, in bytes. */
export const maxFileBytes = 16_777_216;

/** Maximum length of a changed text, in characters. */
export const maxTextLength = 4 * maxFileBytes;

/** Reads a regular file of at most 16 MiB, synchronously: for child processes. Throws NOT_FOUND and EXECUTION_FAILED. */
export function readWhole(path: string): { readonly bytes: Buffer; readonly state: FileState } {
  try {
    // O_NONBLOCK: opening a pipe would wait for its writer.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!isStillAt(descriptor, path)) throw movedError(path);
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw notAFile(stats, 'read', path);
      if (stats.size > maxFileBytes) throw tooLarge(path, stats.size);
      return { bytes: readFileSync(descriptor), state: stateOf(stats) };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw fileError(error, 'read', path);
  }
}

export function stateOf({ dev, ino, size, mtimeMs, mode }: Stats): FileState {
  return { dev, ino, size, mtimeMs, mode };
}

export function isSameState(a: FileState, b: FileState): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

function tooLarge(path: string, size: number): ToolkitError {
  const message = `Cannot change "${excerpt(path)}": expected at most ${maxFileBytes} bytes, found ${size}. Change it with a program of its own.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: path });
}
