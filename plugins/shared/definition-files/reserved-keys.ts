import type { KeyScope, PluginApi } from '../../../kernel/index.ts';

/**
 * Definition keys of built-in plugins. When a configuration leaves such a plugin out, a definition with its key is refused, not loaded
 * without it.
 */
export const reservedKeys: Readonly<Record<string, KeyScope>> = {
  activates: {},
  auth: { on: 'provider', executionTypes: ['http'] },
  cache: {},
  continues: {},
  error_when: { on: 'both', executionTypes: ['http'] },
  repeat_after_401: { on: 'provider', executionTypes: ['http'] },
  idempotency: { executionTypes: ['http'] },
  long: {},
  output_check: {},
  output_headers: { executionTypes: ['http'] },
  paginate: { executionTypes: ['http'] },
  poll: { executionTypes: ['http'] },
  rate_limit: { on: 'both' },
  retry: { executionTypes: ['http'] },
  save_to: { executionTypes: ['http'] },
  select: { executionTypes: ['http'] },
  verify: {},
};

/** Reserves the keys of built-in plugins. Called by plugins that read definition files. */
export function reserveKeys({ extend }: Pick<PluginApi, 'extend'>): void {
  for (const [name, scope] of Object.entries(reservedKeys)) extend.reserveKey(name, scope);
}
