import type { Logger } from '../../kernel/index.ts';
import { ChangeBatches } from '../shared/folder-watch/change-batches.ts';
import { watchFolders } from '../shared/folder-watch/watch-folders.ts';

/**
 * Calls `onChange` when the file was written, replaced, created or removed, and has been quiet since. Watches from the moment this returns; returns
 * a function that ends it. Does not keep the process alive. Logs an error when the system cannot watch.
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
