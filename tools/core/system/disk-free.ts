import { statfs } from 'node:fs/promises';
import { fileError } from '../fs/files/file-error.ts';

interface DiskSpace {
  /** Bytes, like all members but the percentage. */
  readonly total: number;
  readonly free: number;
  readonly available: number;
  readonly used_percent: number;
}

/** Returns the space of the file system that holds a path. Throws NOT_FOUND and EXECUTION_FAILED for the path. */
export async function diskFree({ path }: { readonly path: string }): Promise<DiskSpace> {
  try {
    const { bsize, blocks, bfree, bavail } = await statfs(path, { bigint: true });
    const used = blocks - bfree;
    const share = used + bavail === 0n ? 0 : Number(used) / Number(used + bavail);
    return {
      total: Number(blocks * bsize),
      free: Number(bfree * bsize),
      available: Number(bavail * bsize),
      used_percent: Math.round(share * 1000) / 10,
    };
  } catch (error) {
    throw fileError(error, 'read', path);
  }
}
