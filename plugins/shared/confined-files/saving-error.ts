import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { isOfFile } from './save-stream.ts';

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'something is there already. Have it replaced, or choose another path',
  EISDIR: 'it is a folder, expected a file. Choose another path',
  ENOTDIR: 'a part of the path is a file, expected a folder. Correct the path',
  EACCES: 'permission is denied. Choose another path, or have the permissions of this one changed',
  EPERM: 'permission is denied. Choose another path, or have the permissions of this one changed',
  ENAMETOOLONG: 'a name of the path, or all of it, is too long for the file system. Choose a shorter one',
  EROFS: 'the file system is read-only. Choose another path',
  ELOOP: 'a part of the path has become a symbolic link since it was checked. Look at what changed it',
  ENOSPC: 'no space is left on the device. Free some space, or choose another place',
  EDQUOT: 'no space is left on the device. Free some space, or choose another place',
};

/** Converts an error of `node:fs` during a save into EXECUTION_FAILED. Returns any other error unchanged. */
export function savingError(error: unknown, path: string): unknown {
  if (!isOfFile(error)) return error;
  const { code = '' } = error;
  const reason = reasons[code] ?? excerpt(messageOf(error), 150);
  const message = `Nothing was saved at "${excerpt(path)}": ${reason}.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: path, errno: code }, { cause: error });
}
