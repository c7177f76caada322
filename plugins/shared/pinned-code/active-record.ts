import { createHash, randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defineFact, isPlainObject, type Kernel, messageOf, type PluginApi } from '../../../kernel/index.ts';
import { stateFolder } from '../project/account-folders.ts';
import { isOwnedByThisAccount } from '../project/untrusted-location.ts';

/** Record of the tools that a server had loaded at its last start or reload. */
export interface ActiveRecord {
  /** Process id of the server. */
  readonly pid: number;
  /** ISO 8601 time. */
  readonly writtenAt: string;
  /** Value of `--tool-paths`. */
  readonly toolPaths?: readonly string[];
  /** Fingerprints from the kernel. */
  readonly marks: Readonly<Record<string, string>>;
}

/** Determines the path of the record. Each configuration folder has one record, of the server that wrote last. */
interface RecordOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the configuration, else the working directory. */
  readonly folder: string;
}

/** A server that a command of the program starts. Stated by that command. */
export const commandServer = defineFact<{
  /** Value of `--tool-paths`. */
  readonly toolPaths?: readonly string[];
}>('server of a command');

/** Records the tools of a server that is about to serve, for the project's folder. The servers of other hosts leave no record. */
export function recordServedTools(
  { kernel, cwd }: Pick<PluginApi, 'kernel' | 'cwd'>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const [server] = kernel.facts(commandServer);
  if (server !== undefined) startRecording(kernel, { env, folder: cwd }, server.value.toolPaths);
}

/** Writes the record now and after each reload. A write error is only a debug line in the log. */
export function startRecording(kernel: Kernel, options: RecordOptions, toolPaths: readonly string[] | undefined): void {
  const file = recordFile(options);
  let writing: Promise<void> = Promise.resolve();
  const write = (): void => {
    writing = writing
      .then(() => writeRecord(file, kernel, toolPaths))
      .catch((error: unknown) => kernel.logger.debug(`the record of the loaded tools is not written: ${messageOf(error)}`, { file }));
  };
  // Later, so that the start is not delayed.
  setImmediate(write);
  kernel.onReload(write);
}

/** Reads the record; otherwise returns why there is none that can be trusted. */
export async function readRecord(options: RecordOptions): Promise<ActiveRecord | { readonly doubt: string }> {
  const file = recordFile(options);
  try {
    const found = await lstat(file);
    if (!found.isFile() || !isOwnedByThisAccount(found) || (process.platform !== 'win32' && (found.mode & 0o077) !== 0))
      return { doubt: `${file} is not a file that this account alone may use. Remove it, and start the server again` };
    // Own text: a record of the state folder.
    const record: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isRecord(record) ? record : { doubt: `${file} is not such a record. Remove it, and start the server again` };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { doubt: isMissing ? `no server of ${options.folder} has left one (${file})` : `${file} cannot be read: ${messageOf(error)}` };
  }
}

function recordFile({ env, folder }: RecordOptions): string {
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
    marks: Object.fromEntries(await kernel.fingerprints()),
  };
  // A random name: servers in containers may share a process id, and a killed one leaves its file.
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
