import { randomUUID } from 'node:crypto';
import { constants, renameSync, rmSync, writeFileSync } from 'node:fs';
import { access, lstat, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ToolkitError } from '../../../../../kernel/index.ts';
import { notUtf8, strictUtf8 } from '../../../../shared/text/utf8.ts';
import { type BackupLabel, backUp } from './backups.ts';

/** Content of a client's file at the time it was read. */
export interface ClientFile {
  /** The file; for a symbolic link, its target. */
  readonly file: string;
  /** Empty when the file does not exist yet. */
  readonly text: string;
  readonly exists: boolean;
  /** Permissions of the file. */
  readonly mode: number;
}

/** Maximum size of a client's file. */
const maxBytes = 64 * 1024 * 1024;

/** Reads a client's file. Throws CONFIG_INVALID, with advice, for a file that cannot be read or written. */
export async function readClientFile(location: string): Promise<ClientFile> {
  const isLink = await lstat(location).then(
    (facts) => facts.isSymbolicLink(),
    () => false,
  );
  const file = await realpath(location).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw unusable(location, error);
    if (isLink) throw refused(location, 'is a symbolic link that leads nowhere. Correct or remove it');
    return undefined;
  });
  if (file === undefined) {
    const folder = await stat(path.dirname(location)).catch(() => undefined);
    if (folder?.isDirectory() !== true)
      throw refused(location, 'cannot be written: its folder does not exist. Start the client once, so that it makes it');
    return { file: location, text: '', exists: false, mode: 0o600 };
  }
  try {
    const facts = await stat(file);
    if (!facts.isFile()) throw refused(location, `is ${facts.isDirectory() ? 'a folder' : 'not a regular file'}. Remove it`);
    if (facts.size > maxBytes) throw refused(location, `has ${facts.size} bytes, and at most ${maxBytes} are changed. Make it smaller`);
    await access(file, constants.R_OK | constants.W_OK);
    const bytes = await readFile(file);
    const text = strictUtf8(bytes, { keepsMark: true });
    if (text === undefined) throw refused(location, `is not UTF-8 text: ${notUtf8(bytes)}`);
    return { file, text, exists: true, mode: facts.mode & 0o777 };
  } catch (error) {
    if (ToolkitError.is(error)) throw error;
    throw unusable(location, error);
  }
}

export interface WriteOptions {
  /** Backs the file up before the change. @default no backup */
  readonly backupLabel?: BackupLabel;
  /** Permission bits that the file may keep. @default all */
  readonly maxMode?: number;
}

/**
 * Replaces the text of the file atomically: writes a temporary file next to it and renames that. Returns the path of the backup.
 * Throws CONFIG_INVALID when the file has changed since it was read.
 */
export async function writeClientFile(
  original: ClientFile,
  text: string,
  { backupLabel, maxMode = 0o777 }: WriteOptions,
): Promise<string | undefined> {
  const { file, exists } = original;
  const current = await readClientFile(file);
  if (current.text !== original.text || current.exists !== exists)
    throw refused(file, 'was changed by another program in the meantime. Run this again');
  const next = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  // Synchronous, so that no signal is handled between these steps.
  try {
    const backup = exists && backupLabel !== undefined ? backUp(file, backupLabel) : undefined;
    // Uses the current permissions: they may have become stricter since the file was read.
    writeFileSync(next, text, { flag: 'wx', mode: current.mode & maxMode });
    renameSync(next, file);
    return backup;
  } catch (error) {
    rmSync(next, { force: true });
    throw unusable(file, error);
  }
}

function unusable(location: string, error: unknown): ToolkitError {
  return refused(
    location,
    `cannot be changed (${codeOf(error) ?? 'unknown error'}). Correct its permissions, or those of its folder`,
    error,
  );
}

function refused(file: string, problem: string, cause?: unknown): ToolkitError {
  const message = `${file} ${problem}. It is left as it is.`;
  return new ToolkitError('CONFIG_INVALID', message, { file }, cause === undefined ? {} : { cause });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
