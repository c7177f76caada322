import type { CommandInvocation, Kernel } from '../../../kernel/index.ts';
import { readSection } from '../../shared/lock/lock-file.ts';
import { upstreamsSection } from '../../shared/lock/upstreams-section.ts';
import { reviewItems } from '../../shared/scanner/review/review-items.ts';
import { servedPeers } from '../../shared/scanner/review/served-peers.ts';
import type { ScannedItem } from '../../shared/scanner/scanned-item.ts';
import { scannedItems } from '../define/scanned-items.ts';
import type { ServerLists } from '../server-lists.ts';

/** The lists of a server, to be scanned before they are accepted. */
export interface Reviewed {
  readonly server: string;
  readonly lists: ServerLists;
  readonly folder: string;
  /** A kernel without other servers. */
  readonly kernel: Kernel;
}

/**
 * Scans everything that a server offers before it is accepted, beside the tools of this project and of the servers that were accepted. Throws
 * INVALID_PARAMETERS for a hard finding that the operator has not named.
 */
export async function reviewServer(invocation: CommandInvocation, { server, lists, folder, kernel }: Reviewed): Promise<void> {
  const peers = [...servedPeers(kernel.registry, server), ...(await acceptedPeers(folder, server))];
  reviewItems(invocation, scannedItems(server, lists), { peers });
}

/** Returns the accepted tools of the other servers, by name alone. A lock that cannot be read has none here: accepting reports it. */
async function acceptedPeers(folder: string, server: string): Promise<readonly ScannedItem[]> {
  const entries = await readSection(folder, upstreamsSection).catch(() => new Map<string, never>());
  return [...entries]
    .filter(([name]) => name !== server)
    .flatMap(([source, { tools }]) => [...tools.keys()].map((name): ScannedItem => ({ type: 'tool', name, source, value: {} })));
}
