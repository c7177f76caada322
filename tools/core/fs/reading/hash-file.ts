import { createHash } from 'node:crypto';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { fileError } from '../files/file-error.ts';
import { openFile } from '../files/open-file.ts';
import { byteStep, stepProgress } from '../files/step-progress.ts';

interface HashFileParameters {
  readonly path: string;
  readonly algorithm: 'sha256' | 'sha512' | 'sha1' | 'md5';
}

interface HashFileResult {
  readonly path: string;
  readonly algorithm: string;
  readonly digest: string;
  readonly size: number;
}

const chunkBytes = 1_048_576;

/** The digest of the bytes of a file, and how many they were. Memory: one chunk. Throws NOT_FOUND and EXECUTION_FAILED. */
export async function hashFile({ path, algorithm }: HashFileParameters, { signal, progress }: FunctionContext): Promise<HashFileResult> {
  const { file, stats } = await openFile(path);
  try {
    const report = stepProgress(progress, { step: byteStep, total: stats.size, message: 'bytes hashed' });
    const hash = createHash(algorithm);
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let size = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, size);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
      report(size);
    }
    return { path, algorithm, digest: hash.digest('hex'), size };
  } catch (error) {
    signal.throwIfAborted();
    throw fileError(error, 'read', path);
  } finally {
    await file.close();
  }
}
