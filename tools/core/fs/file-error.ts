import type { Stats } from 'node:fs';
import { type ErrorCode, excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';

const noPermission = 'permission is denied. Choose another path, or have the permissions of this one changed';
const noSpace = 'no space is left on the device. Free some space, or choose another place';

const known: Readonly<Record<string, { readonly code: ErrorCode; readonly text: string }>> = {
  ENOENT: { code: 'NOT_FOUND', text: 'there is no such file or folder. Find the right path with fs_tree' },
  ENOTDIR: { code: 'EXECUTION_FAILED', text: 'a part of the path is a file, expected a folder. Correct the path' },
  EISDIR: { code: 'EXECUTION_FAILED', text: 'it is a folder, expected a file. List it with fs_tree' },
  EEXIST: { code: 'EXECUTION_FAILED', text: 'something of that name is in the way. Choose another path' },
  EACCES: { code: 'EXECUTION_FAILED', text: noPermission },
  EPERM: { code: 'EXECUTION_FAILED', text: noPermission },
  EROFS: { code: 'EXECUTION_FAILED', text: 'the file system is read-only. Choose another path' },
  ELOOP: { code: 'EXECUTION_FAILED', text: 'a part of the path has become a symbolic link since it was checked. Look at what changed it' },
  ENOSPC: { code: 'EXECUTION_FAILED', text: noSpace },
  EDQUOT: { code: 'EXECUTION_FAILED', text: noSpace },
};

/** What failed in `node:fs`, for the caller of a tool: NOT_FOUND for a missing path, else EXECUTION_FAILED. A ToolkitError passes unchanged. */
export function fileError(error: unknown, action: 'read' | 'write' | 'search' | 'list', file: string): ToolkitError {
  if (ToolkitError.is(error)) return error;
  const errno = (error as NodeJS.ErrnoException).code;
  const { code, text } = known[errno ?? ''] ?? { code: 'EXECUTION_FAILED' as const, text: excerpt(messageOf(error), 150) };
  const details = { file, ...(errno === undefined ? {} : { errno }) };
  return new ToolkitError(code, `Cannot ${action} "${excerpt(file)}": ${text}.`, details, { cause: error });
}

/** For something that is there and is not a regular file. */
export function notAFile(stats: Stats, action: 'read' | 'write' | 'search', file: string): ToolkitError {
  if (stats.isDirectory()) return fileError(Object.assign(new Error('is a directory'), { code: 'EISDIR' }), action, file);
  return new ToolkitError(
    'EXECUTION_FAILED',
    `Cannot ${action} "${excerpt(file)}": expected a regular file, found a pipe, a socket or a device. Choose another path.`,
    { file },
  );
}
