import { randomInt } from 'node:crypto';
import { link, readdir, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isPlainObject, type ToolkitError } from '../../kernel/index.ts';
import { readTextIfReadable, readTextIfThere } from '../shared/text/read-text.ts';
import { isErrno, trailError } from './trail-error.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process, in clock ticks since boot; only where /proc has it. Detects a reused process number. */
  readonly start?: string;
}

/** Maximum number of waits for other processes that contend for the same stale lock: several seconds in all. */
const maxWaits = 500;

/** Error codes of file systems without hard links. */
const noLinkCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Maximum wait for a lock that each process holds for milliseconds only, in milliseconds. */
const timeoutMs = 10_000;

export interface Lock {
  release(): Promise<void>;
}

/**
 * Takes `<trail>.lock` for this process: a trail has one writer. The lock of an ended process is taken over. The lock of another machine is
 * not, because its process cannot be checked from here. `contender` is the name of the writer, the same for each attempt: of many contenders
 * for a stale lock, the first by name gets it. Throws PLUGIN_FAILED when the lock is held.
 */
export async function acquireLock(trail: string, contender: string): Promise<Lock> {
  const taken = await tryLock(trail, contender);
  if ('release' in taken) return taken;
  throw taken;
}

/** Takes a lock that others hold for moments only, waiting up to ten seconds. Throws PLUGIN_FAILED when it is held for longer. */
export async function awaitLock(trail: string, contender: string): Promise<Lock> {
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const taken = await tryLock(trail, contender);
    if ('release' in taken) return taken;
    if (performance.now() > endsAt) throw taken;
    await setTimeout(randomInt(2, 20));
  }
}

/** Takes the lock, or returns the error that explains why not. */
export async function tryLock(trail: string, contender: string): Promise<Lock | ToolkitError> {
  const file = `${trail}.lock`;
  const start = await startTimeOf(process.pid);
  const own: Holder = { pid: process.pid, host: hostname(), ...(start === undefined ? {} : { start }) };
  const text = `${JSON.stringify(own)}\n`;
  const intent = `${file}.${own.pid}-${start ?? ''}-${contender}`;
  let waits = 0;
  for (let attempt = 0; attempt < 10 && waits < maxWaits; attempt++) {
    if (await create(file, text, contender)) return { release: () => release(file, text) };
    const found = await readTextIfThere(file);
    if (found === undefined) continue;
    const holder = holderOf(found);
    if (holder === undefined) {
      // Another process may be about to write its content.
      await setTimeout(randomInt(2, 20));
      continue;
    }
    if (holder.host !== own.host || (await isAlive(holder))) return heldError(trail, file, holder, own);
    if (await removeStale(file, found, intent)) continue;
    // One of the contenders gets the lock; giving way to it does not count as an attempt.
    attempt--;
    waits++;
    await setTimeout(randomInt(2, 20));
  }
  return trailError(trail, 'its lock cannot be taken', `Remove "${file}" when no process writes the trail.`);
}

/** Creates the lock with its text in one step, so that a process killed meanwhile leaves no empty lock. False when there is one already. */
async function create(file: string, text: string, contender: string): Promise<boolean> {
  const temporaryFile = `${file}.new-${contender}`;
  try {
    await writeFile(temporaryFile, text, { mode: 0o600 });
    await link(temporaryFile, file);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    if (noLinkCodes.some((code) => isErrno(error, code))) return createInPlace(file, text);
    throw error;
  } finally {
    await unlink(temporaryFile).catch(() => {});
  }
}

/** Creates the lock where the file system has no hard links. */
async function createInPlace(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    // The file may exist, but empty: it would look like the lock of another process.
    if (isErrno(error, 'ENOSPC') || isErrno(error, 'EIO')) await unlink(file).catch(() => {});
    throw error;
  }
}

function holderOf(text: string): Holder | undefined {
  try {
    // Own text: the holder of the lock.
    const value: unknown = JSON.parse(text);
    if (!isPlainObject(value)) return undefined;
    const { pid, host, start } = value;
    const isWhole = Number.isSafeInteger(pid) && (pid as number) > 0 && typeof host === 'string';
    return isWhole ? { pid: pid as number, host, ...(typeof start === 'string' ? { start } : {}) } : undefined;
  } catch {
    return undefined;
  }
}

async function isAlive({ pid, start: recorded }: Pick<Holder, 'pid' | 'start'>): Promise<boolean> {
  if (!isRunning(pid)) return false;
  const start = await startTimeOf(pid);
  return recorded === undefined || start === undefined || recorded === start;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isErrno(error, 'ESRCH');
  }
}

/** Returns field 22 of /proc/<pid>/stat, see proc_pid_stat(5). The second field, in parentheses, may hold any characters. */
async function startTimeOf(pid: number): Promise<string | undefined> {
  const stat = await readTextIfReadable(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function heldError(trail: string, file: string, holder: Holder, own: Holder) {
  const isOther = holder.host !== own.host;
  const who = isOther ? 'a process of another machine' : holder.pid === own.pid ? 'this process' : 'another process';
  const advice = isOther
    ? `"${file}" names process ${holder.pid} of "${holder.host.slice(0, 100)}". Remove it when that has ended.`
    : `"${file}" names process ${holder.pid}. Let "path" be a folder ("trail/"), where each process has a file of its own.`;
  return trailError(trail, `${who} writes it already`, advice);
}

/**
 * Removes a stale lock, and never the new lock of a faster process. A contender first creates an intent file, and removes the lock only while
 * there is no other intent file. Of two contenders, at least one sees the other. The first by name waits until the others have given way, so
 * that they do not block each other for ever, however slow the disk is. False when it gave way.
 */
async function removeStale(file: string, stale: string, intent: string): Promise<boolean> {
  await writeFile(intent, '', { flag: 'wx', mode: 0o600 });
  try {
    const own = path.basename(intent);
    for (let attempt = 0; attempt < maxWaits; attempt++) {
      const others = await listContenders(file, own);
      if (others.length === 0) {
        if ((await readTextIfThere(file)) === stale) await unlink(file);
        return true;
      }
      if (others.some((name) => name < own)) return false;
      await setTimeout(randomInt(2, 20));
    }
    return false;
  } finally {
    await unlink(intent);
  }
}

/** Returns the names of the other intent files. Removes those of ended processes. */
async function listContenders(file: string, own: string): Promise<readonly string[]> {
  const prefix = `${path.basename(file)}.`;
  const found: string[] = [];
  for (const name of await readdir(path.dirname(file))) {
    const match = name.startsWith(prefix) && name !== own ? /^(\d+)-(\d*)-/.exec(name.slice(prefix.length)) : null;
    if (match === null) continue;
    const [writer = '', pid, start = ''] = match;
    const isOfThisProcess = own.slice(prefix.length).startsWith(writer);
    if (isOfThisProcess || (await isAlive({ pid: Number(pid), ...(start === '' ? {} : { start }) }))) found.push(name);
    else await unlink(path.join(path.dirname(file), name)).catch(() => {});
  }
  return found;
}

async function release(file: string, text: string): Promise<void> {
  if ((await readTextIfThere(file)) === text) await unlink(file).catch(() => {});
}
