import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ToolkitError } from '../../kernel/index.ts';
import { Chain } from './chain.ts';
import { ChainCheck, type ExpectedChain, type VerifyOptions } from './chain-check.ts';
import { HeadCheck } from './head-check.ts';
import { linesOf } from './lines.ts';
import { rotatedFiles } from './rotated-files.ts';
import { isErrno } from './trail-error.ts';
import type { VerifyReport } from './verify-report.ts';

/** Maximum length of a line, in bytes. Half a line with further attempts after it is far shorter. */
const maxLineBytes = 1024 * 1024;

/** Verifies one chain: the rotated files of `trail` in order, then the file itself. Undefined when no file of it ever existed. */
export async function verifyChain(trail: string, options: VerifyOptions, expected: ExpectedChain = {}): Promise<VerifyReport | undefined> {
  const head = await HeadCheck.read(trail, new Chain(options.key));
  // Opened first: a concurrent rotation then only gives the same file a second name.
  const current = await openIfThere(trail);
  try {
    const rotated = (await rotatedFiles(trail)).map((file) => file.path);
    // A head that names a record proves that its file was removed.
    if (current === undefined && rotated.length === 0 && !head.namesRecord) return undefined;
    const check = new ChainCheck(options, head, expected);
    for (const file of rotated) {
      const handle = await open(file, constants.O_RDONLY);
      try {
        if (!(await isSame(handle, current))) await checkFile(check, file, handle);
      } finally {
        await handle.close();
      }
    }
    if (current !== undefined) await checkFile(check, trail, current);
    return check.report();
  } finally {
    await current?.close();
  }
}

async function checkFile(check: ChainCheck, file: string, handle: FileHandle): Promise<void> {
  check.beginFile(file);
  const pieces = handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>;
  for await (const line of linesOf(pieces, maxLineBytes)) check.line(line);
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    const handle = await open(file, constants.O_RDONLY);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw new ToolkitError('INVALID_PARAMETERS', `The audit trail "${file}" cannot be read.`, {}, { cause: error });
  }
  throw new ToolkitError('INVALID_PARAMETERS', `"${file}" is not a file. Name the file of the option "path".`);
}

async function isSame(handle: FileHandle, other: FileHandle | undefined): Promise<boolean> {
  if (other === undefined) return false;
  const [one, two] = await Promise.all([handle.stat(), other.stat()]);
  return one.dev === two.dev && one.ino === two.ino;
}
