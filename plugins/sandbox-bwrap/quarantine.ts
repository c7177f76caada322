import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, rename } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';

/** The quarantine folder, relative to a root: a control folder, which programs neither see nor change. */
const quarantineFolder = path.join('.toolkit', 'quarantine');

/**
 * Creates the quarantine of a root, so that no program can put something in its place. Does nothing where this account may not
 * write, because then no program may. Throws EXECUTION_FAILED where something else is in its place.
 */
export async function prepareQuarantine(root: string): Promise<void> {
  const folder = path.join(root, quarantineFolder);
  const parts = [path.dirname(folder), folder];
  for (const part of parts) {
    const stats = await lstat(part).catch(() => undefined);
    if (stats === undefined) {
      try {
        await mkdir(part, { mode: 0o700 });
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (code === 'EEXIST') continue;
        if (['EACCES', 'EROFS', 'EPERM', 'ENOENT'].includes(code)) return;
        throw error;
      }
    } else if (!stats.isDirectory()) throw blockedQuarantineError(part);
  }
}

/**
 * Moves files and folders below a root into a new folder of its quarantine. Does not follow a folder that has become a link.
 * Returns their old paths, relative to the root. Throws EXECUTION_FAILED for a file that cannot be moved.
 */
export async function moveToQuarantine(root: string, paths: readonly string[], name: string): Promise<readonly string[]> {
  const moved: string[] = [];
  for (const entryPath of paths) {
    const relative = path.relative(root, entryPath);
    const target = path.join(root, quarantineFolder, name, relative);
    const parent = await open(path.dirname(entryPath), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
      () => undefined,
    );
    // Its folder is gone, and the file with it.
    if (parent === undefined) continue;
    try {
      const folder = `/proc/self/fd/${parent.fd}`;
      if ((await readlink(folder)) !== path.dirname(entryPath)) continue;
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      await rename(path.join(folder, path.basename(entryPath)), target);
      moved.push(relative);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw notMovedError(entryPath, error);
    } finally {
      await parent.close();
    }
  }
  return moved;
}

function blockedQuarantineError(entryPath: string): ToolkitError {
  const message = `The sandbox moves forbidden files of programs to "${excerpt(entryPath)}", which is not a folder. Remove it, then try again.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: entryPath, retryable: false });
}

function notMovedError(entryPath: string, error: unknown): ToolkitError {
  const message = `A program in the sandbox made the control file "${excerpt(entryPath)}", which could not be moved away: ${excerpt(messageOf(error))}. Remove it by hand.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: entryPath, retryable: false }, { cause: error });
}
