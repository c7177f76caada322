import { chmod, type FileHandle, lchown, mkdir, open, symlink, utimes } from 'node:fs/promises';
import nodePath from 'node:path';
import { openFile } from '../files/open-file.ts';
import { runParallel } from '../files/parallel.ts';
import type { PlannedEntry } from './tree-plan.ts';

interface CopyOptions {
  readonly signal: AbortSignal;
  /** Receives the copied bytes and files so far, after each part of a file and each file. */
  readonly onProgress: (bytes: number, files: number) => void;
  /**
   * True: also keeps times, owners and special permission bits, as a move does. False: keeps only permissions to read, write and
   * run.
   */
  readonly keepAll: boolean;
}

const chunkBytes = 1_048_576;

/** Number of files that are copied in parallel, each with a chunk of memory. */
const lanes = 8;

/**
 * Copies a planned file or folder to a path where nothing exists. Folders stay writable for their owner. The caller removes a
 * partial copy when it throws. Throws what `node:fs` throws, and the reason of the signal.
 */
export async function copyTree(source: string, target: string, plan: readonly PlannedEntry[], options: CopyOptions): Promise<void> {
  const place = (top: string, { path }: PlannedEntry): string => nodePath.join(top, path);
  let [bytes, done] = [0, 0];
  const onChunk = (length: number): void => {
    bytes += length;
    options.onProgress(bytes, done);
  };
  for (const folder of plan.filter(({ kind }) => kind === 'folder')) {
    options.signal.throwIfAborted();
    await mkdir(place(target, folder), { mode: (folder.mode & 0o777) | 0o700 });
  }
  const files = plan.filter(({ kind }) => kind === 'file');
  await runParallel(files, lanes, async (entry) => {
    await copyFile(place(source, entry), place(target, entry), { ...options, onChunk, isAlone: plan.length === 1 });
    done += 1;
    options.onProgress(bytes, done);
  });
  for (const entry of plan) if (entry.kind === 'link') await symlink(entry.target ?? '', place(target, entry));
  if (!options.keepAll) return;
  for (const entry of [...plan].reverse()) await keepOwnerAndTimes(place(target, entry), entry);
}

interface FileOptions extends CopyOptions {
  readonly onChunk: (bytes: number) => void;
  /** True for a single file: it is synced to disk before it is renamed into place. */
  readonly isAlone: boolean;
}

async function copyFile(from: string, to: string, { signal, onChunk, isAlone }: FileOptions): Promise<void> {
  signal.throwIfAborted();
  const { file: source, stats } = await openFile(from);
  try {
    const target = await open(to, 'wx', stats.mode & 0o777);
    try {
      const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, stats.size + 1)));
      for (;;) {
        signal.throwIfAborted();
        const { bytesRead } = await source.read(buffer, 0, buffer.length);
        if (bytesRead === 0) break;
        await writeAll(target, buffer.subarray(0, bytesRead));
        onChunk(bytesRead);
      }
      if (isAlone) await target.sync();
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function writeAll(target: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += (await target.write(bytes, written)).bytesWritten;
}

async function keepOwnerAndTimes(place: string, { kind, mode, owner, accessedAtMs, modifiedAtMs }: PlannedEntry): Promise<void> {
  // Only root may change the owner of a file; for any other user this fails and the rest is kept. A new owner clears the special
  // bits, so they are set after it.
  await lchown(place, ...owner).catch(() => {});
  if (kind === 'link') return;
  await chmod(place, (mode & 0o7777) | (kind === 'folder' ? 0o700 : 0));
  await utimes(place, accessedAtMs / 1000, modifiedAtMs / 1000);
}
