import type { Stats } from 'node:fs';
import { type ErrorCode, excerpt, messageOf, outOfDescriptorsError, ToolkitError } from '../../../../kernel/index.ts';

const noPermission = 'permission is denied. Choose another path, or have the permissions of this one changed';
const noSpace = 'no space is left on the device. Free some space, or choose another place';

interface Problem {
  readonly code: ErrorCode;
  readonly text: string;
}

const known: Readonly<Record<string, Problem>> = {
  ENOENT: { code: 'NOT_FOUND', text: 'there is no such file or folder. Find the right path with fs_tree' },
  ENOTDIR: { code: 'EXECUTION_FAILED', text: 'a part of the path is a file, expected a folder. Correct the path' },
  EISDIR: { code: 'EXECUTION_FAILED', text: 'it is a folder, expected a file. List it with fs_tree' },
  EEXIST: { code: 'EXECUTION_FAILED', text: 'something of that name is in the way. Choose another path' },
  EACCES: { code: 'EXECUTION_FAILED', text: noPermission },
  EPERM: { code: 'EXECUTION_FAILED', text: noPermission },
  ENAMETOOLONG: {
    code: 'EXECUTION_FAILED',
    text: 'a name of the path, or all of it, is too long for the file system. Choose a shorter one',
  },
  EROFS: { code: 'EXECUTION_FAILED', text: 'the file system is read-only. Choose another path' },
  ELOOP: { code: 'EXECUTION_FAILED', text: 'a part of the path has become a symbolic link since it was checked. Look at what changed it' },
  ENOSPC: { code: 'EXECUTION_FAILED', text: noSpace },
  EDQUOT: { code: 'EXECUTION_FAILED', text: noSpace },
};

/** U+FFFD. Node puts it in names in place of bytes that are not UTF-8; such a path leads nowhere. */
const replacement = '\uFFFD';
const unnamed: Problem = {
  code: 'EXECUTION_FAILED',
  text: 'its name is not UTF-8, so that no tool can tell it. Rename it with another program, or leave it out',
};

/**
 * Converts an error of `node:fs` for the caller of a tool: NOT_FOUND for a missing path, else EXECUTION_FAILED. A ToolkitError
 * passes unchanged.
 */
export function fileError(
  error: unknown,
  action: 'read' | 'write' | 'search' | 'list' | 'copy' | 'move' | 'delete',
  file: string,
): ToolkitError {
  if (ToolkitError.is(error)) return error;
  const exhausted = outOfDescriptorsError(error);
  if (exhausted !== undefined) return exhausted;
  const errno = (error as NodeJS.ErrnoException).code;
  const isUnnamed = errno === 'ENOENT' && file.includes(replacement);
  const { code, text } = (isUnnamed ? unnamed : known[errno ?? '']) ?? { code: 'EXECUTION_FAILED', text: excerpt(messageOf(error), 150) };
  const details = { file, ...(errno === undefined ? {} : { errno }) };
  return new ToolkitError(code, `Cannot ${action} "${excerpt(file)}": ${text}.`, details, { cause: error });
}

/** Returns the error for an existing path that is not a regular file. */
export function notAFile(stats: Stats, action: 'read' | 'write' | 'search', file: string): ToolkitError {
  if (stats.isDirectory()) return fileError(Object.assign(new Error('is a directory'), { code: 'EISDIR' }), action, file);
  return new ToolkitError(
    'EXECUTION_FAILED',
    `Cannot ${action} "${excerpt(file)}": expected a regular file, found a pipe, a socket or a device. Choose another path.`,
    { file },
  );
}

/** Returns the error for a link. Path confinement resolves links, so a remaining link leads nowhere or was created since. */
export function linkToNothing(path: string): ToolkitError {
  const message = `Cannot write "${excerpt(path)}": it is a symbolic link to something that does not exist. Write to the path that you mean.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: path });
}

/** Returns the error for a file where a folder is expected. */
export function notAFolder(path: string): ToolkitError {
  const message = `Cannot list "${excerpt(path)}": it is a file, expected a folder. Read it with fs_read_file.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: path });
}
