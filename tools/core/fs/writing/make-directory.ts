import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { fileError } from '../files/file-error.ts';
import { makeFolders, pathExists } from '../files/folders.ts';
import { destinationError, kindAt } from '../trees/destination.ts';

interface MakeDirectoryParameters {
  readonly path: string;
  readonly recursive: boolean;
}

interface MakeDirectoryResult {
  readonly path: string;
  readonly created: boolean;
}

/** Creates a folder. An existing folder is no error. Throws NOT_FOUND and EXECUTION_FAILED. */
export async function makeDirectory({ path, recursive }: MakeDirectoryParameters): Promise<MakeDirectoryResult> {
  try {
    if ((await kindAt(path)) === 'file') throw destinationError(path, 'is a file, and a folder is to be there. Choose another path');
    if (!recursive && !(await pathExists(nodePath.dirname(path)))) throw noParent(path);
    const made = await makeFolders(path);
    return { path, created: made.length > 0 };
  } catch (error) {
    throw fileError(error, 'write', path);
  }
}

function noParent(path: string): ToolkitError {
  const message = `Cannot create "${excerpt(path)}": the folder above it does not exist. Set recursive to true to create that one too.`;
  return new ToolkitError('NOT_FOUND', message, { file: path });
}
