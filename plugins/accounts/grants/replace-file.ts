import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Replaces a file by one that only this account can read. A reader sees the old text or the new one, also after a power loss; the new one for
 * sure once the folder is flushed (`syncFolder`).
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const part = path.join(path.dirname(file), `.${randomUUID()}`);
  try {
    await writeSynced(part, text);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** True for the name of a file that is being written. */
export function isPart(name: string): boolean {
  return name.startsWith('.');
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Flushes the folder: a rename survives a power loss only then. Windows cannot open folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
