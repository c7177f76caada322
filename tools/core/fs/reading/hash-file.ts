import { createHash } from 'node:crypto';
import { messageOf } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import type { UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { fileError } from '../files/file-error.ts';
import type { LeftOutResult } from '../files/git-exclusions.ts';
import { openFile } from '../files/open-file.ts';
import { runParallel } from '../files/parallel.ts';
import { byteStep, stepProgress } from '../files/step-progress.ts';
import { chosenFiles, type FileChoice, refuseUnlessOne } from '../searching/chosen-files.ts';
import type { ChosenFile } from '../searching/globbed-files.ts';

type Algorithm = 'sha256' | 'sha512' | 'sha1' | 'md5';

interface HashFileParameters extends FileChoice {
  readonly algorithm: Algorithm;
  /** Allowed folders. */
  readonly folders: readonly string[];
}

interface HashFileResult {
  readonly path: string;
  readonly algorithm: string;
  readonly digest: string;
  readonly size: number;
}

interface HashedFile {
  readonly path: string;
  readonly digest?: string;
  readonly size?: number;
  readonly error?: string;
}

interface HashFilesResult extends LeftOutResult, UnreadableResult {
  readonly algorithm: string;
  readonly files: readonly HashedFile[];
  readonly total: number;
  readonly truncated: boolean;
  /** Groups of paths with the same content. */
  readonly same: readonly (readonly string[])[];
}

const chunkBytes = 1_048_576;

/** Maximum number of files in one call. */
const maxFiles = 1000;

/** Number of files that are read in parallel. */
const lanes = 4;

/**
 * Returns the digest of one file, or those of many, each with its error if it has one. Throws INVALID_PARAMETERS, NOT_FOUND and
 * EXECUTION_FAILED.
 */
export async function hash(
  { algorithm, folders, ...choice }: HashFileParameters,
  context: FunctionContext,
): Promise<HashFileResult | HashFilesResult> {
  const { path, paths, glob } = choice;
  refuseUnlessOne({ path: glob === undefined ? path : undefined, paths, glob }, ['path', 'paths', 'glob']);
  if (path !== undefined && glob === undefined) return hashFile(path, algorithm, context);
  const { files, total, ...others } = await chosenFiles(choice, folders, context, { max: maxFiles });
  const report = stepProgress(context.progress, { step: 100, total: files.length, message: 'files hashed' });
  const hashed = new Map<string, HashedFile>();
  await runParallel(files, lanes, async (file) => {
    hashed.set(file.name, await hashOne(file, algorithm, context));
    report(hashed.size);
  });
  const results = files.map(({ name }) => hashed.get(name) as HashedFile);
  return { algorithm, files: results, total, truncated: files.length < total, same: sameContent(results), ...others };
}

async function hashOne({ name, path }: ChosenFile, algorithm: Algorithm, { signal }: FunctionContext): Promise<HashedFile> {
  try {
    const { digest, size } = await hashFile(path, algorithm, { signal, progress: () => {} });
    return { path: name, digest, size };
  } catch (error) {
    signal.throwIfAborted();
    return { path: name, error: messageOf(error) };
  }
}

function sameContent(files: readonly HashedFile[]): readonly (readonly string[])[] {
  const byContent = new Map<string, string[]>();
  for (const { path, digest, size } of files) {
    if (digest === undefined) continue;
    const key = `${digest} ${size}`;
    byContent.set(key, [...(byContent.get(key) ?? []), path]);
  }
  return [...byContent.values()].filter(({ length }) => length > 1);
}

/** Returns the digest of a file and the number of bytes. Memory: one chunk. Throws NOT_FOUND and EXECUTION_FAILED. */
async function hashFile(
  path: string,
  algorithm: Algorithm,
  { signal, progress }: Pick<FunctionContext, 'signal' | 'progress'>,
): Promise<HashFileResult> {
  const { file, stats } = await openFile(path);
  try {
    const report = stepProgress(progress, { step: byteStep, total: stats.size, message: 'bytes hashed' });
    const digest = createHash(algorithm);
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let size = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, size);
      if (bytesRead === 0) break;
      digest.update(buffer.subarray(0, bytesRead));
      size += bytesRead;
      report(size);
    }
    return { path, algorithm, digest: digest.digest('hex'), size };
  } catch (error) {
    signal.throwIfAborted();
    throw fileError(error, 'read', path);
  } finally {
    await file.close();
  }
}
