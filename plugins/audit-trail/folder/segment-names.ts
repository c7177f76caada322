import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { isErrno } from '../trail-error.ts';

/** Name of the index in the folder of a trail. */
export const indexName = 'index.jsonl';

/** Matches `20261127T203412Z-3f9a1c2b.jsonl` and its rotated files. */
const segmentPattern = /^(\d{8}T\d{6}Z-[0-9a-f]{8}\.jsonl)(\.[1-9]\d{0,11})?$/;
const ownPattern = /^(index\.jsonl|\d{8}T\d{6}Z-[0-9a-f]{8}\.jsonl)(\..*)?$/;

/** Returns a unique name: the start time (UTC) and eight random digits. */
export function newSegmentName(now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${time}-${randomBytes(4).toString('hex')}.jsonl`;
}

/** Returns the names of the segments that have a file, oldest first. Empty without a folder. */
export async function segmentNames(folder: string): Promise<readonly string[]> {
  const names = (await namesIn(folder)).map((name) => segmentPattern.exec(name)?.[1]).filter((name) => name !== undefined);
  return [...new Set(names)].sort();
}

/** Returns a name in the folder that belongs to no trail, if any. Ignores hidden files. */
export async function findForeignName(folder: string): Promise<string | undefined> {
  return (await namesIn(folder)).find((name) => !ownPattern.test(name) && !name.startsWith('.'));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}
