import { hash } from 'node:crypto';

/** For who watches more than one kind of key. */
export const everyKey = 'toolkit_entries';

/** Where the changes of keys like this one are told: those that begin with the same plugin and kind, such as `mcp/session/`. For a prefix shorter than that, of all. */
export function channelOf(key: string): string {
  const [kind] = /^[^/]*\/[^/]*\//.exec(key) ?? [];
  // The names of channels are short.
  return kind === undefined ? everyKey : `toolkit_${hash('sha256', kind, 'hex').slice(0, 32)}`;
}
