import path from 'node:path';
import { type Kernel, type Logger, messageOf } from '../../../kernel/index.ts';
import type { Upstream } from '../upstream.ts';
import type { AcceptedServers } from './accepted-servers.ts';
import { digestOf, listedItems } from './listed-items.ts';

/**
 * Takes over what another process accepts, such as `toolkit upstream accept`: lists the servers again when the lock changes, and accepts what now is
 * as in its entry. Returns the function that ends this.
 */
export async function followLock(
  folder: string,
  upstreams: ReadonlyMap<string, Upstream>,
  { kernel, accepted, logger }: { readonly kernel: () => Kernel; readonly accepted: AcceptedServers; readonly logger: Logger },
): Promise<() => void> {
  const { watchFolders } = await import('../../shared/folder-watch/watch-folders.ts');
  const follow = async (server: string, upstream: Upstream): Promise<void> => {
    await kernel().sources.relist(server);
    const entry = await accepted.read(server);
    if (entry === undefined) return;
    const listed = listedItems(upstream, entry.lists, entry.readOnly);
    const seen = kernel()
      .sources.pending()
      .filter(({ source, kind, name, definition }) => source === server && listed.get(`${kind} ${name}`)?.digest === digestOf(definition));
    if (seen.length > 0) await kernel().sources.accept(seen);
  };
  const onChange = (): void => {
    for (const [server, upstream] of upstreams)
      follow(server, upstream).catch((error: unknown) =>
        logger.warn(`what was accepted of "${server}" could not be taken over: ${messageOf(error)}`),
      );
  };
  const onError = (message: string): void => logger.warn(`toolkit.lock is not watched: ${message}`);
  return watchFolders([path.join(folder, 'toolkit.lock')], { onChange, onError });
}
