import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { isPlainObject, ToolkitError } from '../../../kernel/index.ts';

/** Maximum time to wait for another writer, in milliseconds. */
const timeoutMs = 10_000;
const pollIntervalMs = 50;

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Runs `write` while no other process of this program writes the same file. The file `<file>.writing` names the holder; the one of a process of
 * this machine that has ended is removed. Throws EXECUTION_FAILED when another process holds it for ten seconds.
 */
export async function asOnlyWriter<T>(file: string, write: () => Promise<T>): Promise<T> {
  const marker = `${file}.writing`;
  const deadline = performance.now() + timeoutMs;
  while (!(await create(marker))) {
    const holder = await holderOf(marker);
    if (holder !== undefined && hasEnded(holder)) await removeStale(marker, holder);
    else if (performance.now() > deadline) throw held(marker, holder);
    else await setTimeout(pollIntervalMs);
  }
  try {
    return await write();
  } finally {
    await rm(marker, { force: true });
  }
}

async function create(marker: string): Promise<boolean> {
  try {
    await writeFile(marker, JSON.stringify({ pid: process.pid, host: os.hostname() } satisfies Holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns the process that a marker names; undefined while it is being written, and for any other file. */
async function holderOf(marker: string): Promise<Holder | undefined> {
  try {
    // Own text: the holder of the lock.
    const value: unknown = JSON.parse(await readFile(marker, 'utf8'));
    if (!isPlainObject(value) || !Number.isSafeInteger(value['pid']) || typeof value['host'] !== 'string') return undefined;
    return { pid: value['pid'] as number, host: value['host'] };
  } catch {
    return undefined;
  }
}

function hasEnded({ pid, host }: Holder): boolean {
  if (host !== os.hostname() || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Moves the marker aside before it is removed. When a faster process has replaced it meanwhile, its marker is put back. */
async function removeStale(marker: string, stale: Holder): Promise<void> {
  const aside = `${marker}-${process.pid}`;
  try {
    await rename(marker, aside);
  } catch {
    return;
  }
  const moved = await holderOf(aside);
  if (moved?.pid === stale.pid) await rm(aside, { force: true });
  else await rename(aside, marker);
}

function held(marker: string, holder: Holder | undefined): ToolkitError {
  const whose = holder === undefined ? 'another process' : `process ${holder.pid} of "${holder.host.slice(0, 100)}"`;
  return new ToolkitError('EXECUTION_FAILED', `${whose} is writing (${marker}). Wait for it; if it has ended, remove that file.`);
}
