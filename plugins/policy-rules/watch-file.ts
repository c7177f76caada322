import type { Logger } from '../../kernel/index.ts';
import { ChangeBatches } from '../shared/folder-watch/change-batches.ts';
import { watchFolders } from '../shared/folder-watch/watch-folders.ts';

/**
 * Calls `onChange` when the file was written, replaced, made or removed and is left alone since, from the moment this returns. Keeps no
 * process alive. Where the system cannot watch, that is logged. Returns what ends it.
 */
export function watchFile(file: string, onChange: () => Promise<void>, logger: Logger): () => void {
  const changes = new ChangeBatches(onChange);
  const listeners = {
    onChange: (found: string) => changes.add(found),
    onError: (message: string) => logger.error(`Changes of ${file} are not seen: ${message}. Start again after a change.`),
  };
  const stop = watchFolders([file], listeners, Number.POSITIVE_INFINITY);
  return () => {
    stop();
    changes.close();
  };
}
