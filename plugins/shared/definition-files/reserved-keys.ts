import type { KeyScope, PluginApi } from '../../../kernel/index.ts';
import { builtInKeys } from './built-in-keys.ts';

/**
 * Definition keys of built-in plugins. When a configuration leaves such a plugin out, a definition with its key is refused, not loaded
 * without it.
 */
export const reservedKeys: Readonly<Record<string, KeyScope>> = builtInKeys;

/** Reserves the keys of built-in plugins. Called by plugins that read definition files. */
export function reserveKeys({ extend }: Pick<PluginApi, 'extend'>): void {
  for (const [name, scope] of Object.entries(reservedKeys)) extend.reserveKey(name, scope);
}
