import path from 'node:path';
import { type Logger, messageOf } from '../../kernel/index.ts';

/** How long the size of the file must stay the same before it counts as written, and how often that is looked at. In milliseconds. */
const awaitWriteFinish = { stabilityThreshold: 100, pollInterval: 20 };

/**
 * Calls `onChange` when the file is written, replaced, made or removed, from the moment this resolves. Its folder is what is watched: a
 * watcher of a file that does not exist yet says that it is ready before it is. Keeps no process alive. Where the system cannot watch,
 * that is logged. Returns what ends it.
 */
export async function watchFile(file: string, onChange: () => void, logger: Logger): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar');
  const folder = path.dirname(file);
  const ignored = (found: string): boolean => found !== folder && found !== file;
  const watcher = watch(folder, { ignored, persistent: false, ignoreInitial: true, depth: 0, awaitWriteFinish });
  watcher.on('add', onChange).on('change', onChange).on('unlink', onChange);
  await new Promise<void>((resolve) => {
    watcher.on('ready', resolve);
    watcher.on('error', (error) => {
      logger.error(`Changes of ${file} are not seen: ${messageOf(error)}. Start again after a change.`);
      resolve();
    });
  });
  return () => watcher.close();
}
