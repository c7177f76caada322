import { createHash, randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isPlainObject, type Kernel, messageOf } from '../../../../kernel/index.ts';
import { stateFolder } from '../../../shared/project/account-folders.ts';
import { isOwn } from '../../../shared/project/planted.ts';

/** What a server had loaded when it started or reloaded last. */
export interface ActiveRecord {
  /** Of the server. */
  readonly pid: number;
  /** ISO 8601. */
  readonly writtenAt: string;
  /** What --tool-paths said. */
  readonly toolPaths?: readonly string[];
  /** `kernel.marks()`. */
  readonly marks: Readonly<Record<string, string>>;
}

/** Where records lie: for each folder of a configuration the one of the server that was the last to write. */
interface RecordPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the configuration, else the working directory. */
  readonly folder: string;
}

/** Writes the record of a server now and after each reload. A record that cannot be written is no reason to stop: it is a debug line. */
export function keepRecord(kernel: Kernel, place: RecordPlace, toolPaths: readonly string[] | undefined): void {
  const file = recordFile(place);
  let writing: Promise<void> = Promise.resolve();
  const write = (): void => {
    writing = writing
      .then(() => writeRecord(file, kernel, toolPaths))
      .catch((error: unknown) => kernel.logger.debug(`the record of the loaded tools is not written: ${messageOf(error)}`, { file }));
  };
  // Not in the way of the start.
  setImmediate(write);
  kernel.onReload(write);
}

/** The record, or why there is none that can be believed. */
export async function readRecord(place: RecordPlace): Promise<ActiveRecord | { readonly doubt: string }> {
  const file = recordFile(place);
  try {
    const found = await lstat(file);
    if (!found.isFile() || !isOwn(found) || (process.platform !== 'win32' && (found.mode & 0o077) !== 0))
      return { doubt: `${file} is not a file that this account alone may use. Remove it, and start the server again` };
    // Own text: a record of the state folder.
    const record: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isRecord(record) ? record : { doubt: `${file} is not such a record. Remove it, and start the server again` };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { doubt: isMissing ? `no server of ${place.folder} has left one (${file})` : `${file} cannot be read: ${messageOf(error)}` };
  }
}

function recordFile({ env, folder }: RecordPlace): string {
  return path.join(stateFolder(env), 'active', `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.json`);
}

async function writeRecord(file: string, kernel: Kernel, toolPaths: readonly string[] | undefined): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const record: ActiveRecord = {
    pid: process.pid,
    writtenAt: new Date().toISOString(),
    ...(toolPaths === undefined ? {} : { toolPaths }),
    marks: Object.fromEntries(await kernel.marks()),
  };
  // In containers the server of each may have the same number, and one that was killed leaves its file.
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

function isRecord(value: unknown): value is ActiveRecord {
  if (!isPlainObject(value) || !isPlainObject(value['marks'])) return false;
  const { pid, writtenAt, toolPaths = [] } = value;
  return Number.isInteger(pid) && typeof writtenAt === 'string' && Array.isArray(toolPaths);
}
