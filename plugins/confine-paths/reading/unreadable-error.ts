import type { Stats } from 'node:fs';
import { type ErrorCode, excerpt, messageOf, outOfDescriptorsError, ToolkitError } from '../../../kernel/index.ts';

/** Error codes of `node:fs`, `node:zlib` and TextDecoder, with our code and text. */
const readProblems: Readonly<Record<string, readonly [code: ErrorCode, text: string]>> = {
  ENOENT: ['NOT_FOUND', 'there is no such file. Look for the right path'],
  ENOTDIR: ['EXECUTION_FAILED', 'a part of the path is a file, expected a folder. Correct the path'],
  EACCES: ['EXECUTION_FAILED', 'permission is denied. Choose another path'],
  EPERM: ['EXECUTION_FAILED', 'permission is denied. Choose another path'],
  ELOOP: ['EXECUTION_FAILED', 'a part of the path has become a symbolic link since it was checked. Look at what changed it'],
  ENXIO: ['EXECUTION_FAILED', 'expected a regular file, found a socket or a device. Choose another path'],
  ENAMETOOLONG: ['EXECUTION_FAILED', 'the path is too long for the file system. Choose a shorter one'],
  ERR_ENCODING_INVALID_ENCODED_DATA: [
    'EXECUTION_FAILED',
    'it is not valid UTF-8, nor UTF-16 with a byte order mark. Convert it, or give the text itself',
  ],
  Z_DATA_ERROR: ['EXECUTION_FAILED', 'it begins as gzip does and cannot be unpacked. Choose another file'],
  Z_BUF_ERROR: ['EXECUTION_FAILED', 'it is packed by gzip and ends too early. Choose another file'],
};

/**
 * Makes the error for a file that cannot be read, from a thrown error or a description of the problem. A ToolkitError passes
 * unchanged.
 */
export function unreadableError(problem: unknown, path: string): ToolkitError {
  if (ToolkitError.is(problem)) return problem;
  const exhausted = outOfDescriptorsError(problem);
  if (exhausted !== undefined) return exhausted;
  const errno = typeof problem === 'string' ? undefined : (problem as NodeJS.ErrnoException).code;
  const [code, text] = readProblems[errno ?? ''] ?? ['EXECUTION_FAILED', excerpt(messageOf(problem), 150)];
  const cause = typeof problem === 'string' ? {} : { cause: problem };
  return new ToolkitError(code, `Cannot read "${excerpt(path)}": ${text}.`, { file: path }, cause);
}

/** Makes the error for a path that is not a regular file. */
export function notRegularFileError(stats: Stats, path: string): ToolkitError {
  const found = stats.isDirectory() ? 'a folder' : 'a pipe, a socket or a device';
  return unreadableError(`expected a regular file, found ${found}. Choose another path`, path);
}
