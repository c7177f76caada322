import { hash } from 'node:crypto';

/** Channel of all keys, for watchers of more than one kind. */
export const allKeysChannel = 'toolkit_entries';

/** Returns the channel for changes of a key: one for each plugin and kind, such as `mcp/session/`. For a shorter prefix, the channel of all keys. */
export function channelOf(key: string): string {
  const [kind] = /^[^/]*\/[^/]*\//.exec(key) ?? [];
  // Hashed, because channel names are limited to 63 bytes.
  return kind === undefined ? allKeysChannel : `toolkit_${hash('sha256', kind, 'hex').slice(0, 32)}`;
}

/** Returns the channels, and the key to send to each. */
export function notificationsFor(keys: readonly string[]): readonly [readonly string[], readonly string[]] {
  return [
    [...keys.map(channelOf), ...keys.map(() => allKeysChannel)],
    [...keys, ...keys],
  ];
}
