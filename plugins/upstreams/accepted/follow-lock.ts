import path from 'node:path';
import { type Kernel, type Logger, messageOf } from '../../../kernel/index.ts';
import { itemDigest } from '../define/item-digest.ts';
import type { AcceptedServers } from './accepted-servers.ts';

/**
 * Takes over what another process accepts, such as `toolkit upstream accept`: lists the servers again when the lock changes, and accepts what now is
 * as in its entry. Returns the function that ends this.
 */
export async function followLock(
  folder: string,
  servers: readonly string[],
  { kernel, accepted, logger }: { readonly kernel: () => Kernel; readonly accepted: AcceptedServers; readonly logger: Logger },
): Promise<() => void> {
  const { watchFolders } = await import('../../shared/folder-watch/watch-folders.ts');
  const follow = async (server: string): Promise<void> => {
    await kernel().sources.relist(server);
    const entry = await accepted.read(server);
    const digests = new Set((entry?.lists.tools ?? []).map(itemDigest));
    const seen = kernel()
      .sources.pending()
      .filter(({ source, kind, definition }) => {
        if (source !== server || kind !== 'tool') return false;
        const { digest } = (definition['execution'] ?? {}) as { readonly digest?: string };
        return digest !== undefined && digests.has(digest);
      });
    if (seen.length > 0) await kernel().sources.accept(seen.map(({ name }) => name));
  };
  const onChange = (): void => {
    for (const server of servers)
      follow(server).catch((error: unknown) =>
        logger.warn(`what was accepted of "${server}" could not be taken over: ${messageOf(error)}`),
      );
  };
  const onError = (message: string): void => logger.warn(`toolkit.lock is not watched: ${message}`);
  return watchFolders([path.join(folder, 'toolkit.lock')], { onChange, onError });
}
