import { excerpt, type PendingChange, ToolkitError } from '../../../kernel/index.ts';
import type { Upstream } from '../upstream.ts';
import type { AcceptedServers } from './accepted-servers.ts';
import { digestOf, listedItems } from './listed-items.ts';
import { mergeLists } from './merge-lists.ts';

/**
 * Writes the changes that a host accepts into the lock. Throws APPROVAL_REQUIRED when the server has changed one of them since it was shown, and
 * CONFIG_INVALID when the accepted definitions were changed by hand.
 */
export async function recordChanges(
  upstream: Upstream,
  changes: readonly PendingChange[],
  { accepted, readOnly }: { readonly accepted: AcceptedServers; readonly readOnly: ReadonlySet<string> },
): Promise<void> {
  const now = upstream.observed;
  const { name: server } = upstream.settings;
  const listed = now === undefined ? undefined : listedItems(upstream, now, readOnly);
  const chosen = new Set<string>();
  for (const { kind, name, definition } of changes) {
    const item = listed?.get(`${kind} ${name}`);
    if (item?.digest !== digestOf(definition)) throw changedAgain(server, kind, name);
    chosen.add(`${kind} ${item.original}`);
  }
  if (now !== undefined)
    await accepted.change(server, (before) => mergeLists(before, now, ({ kind, name }) => chosen.has(`${kind} ${name}`)));
}

function changedAgain(server: string, kind: string, name: string): ToolkitError {
  return new ToolkitError(
    'APPROVAL_REQUIRED',
    `Nothing was accepted: the server "${server}" has changed the ${kind} "${excerpt(name, 100)}" since it was shown. Look at it again: toolkit upstream diff ${server}`,
    { server },
  );
}
