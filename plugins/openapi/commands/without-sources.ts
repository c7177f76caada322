import { isPlainObject } from '../../../kernel/index.ts';
import type { DocumentSource, OpenapiOptions } from '../options.ts';

/** Returns the plugins of a configuration without this one, whose sources would be listed. */
export function withoutSources(plugins: readonly unknown[]): readonly unknown[] {
  return plugins.flat(Number.POSITIVE_INFINITY).filter((plugin) => !isOwn(plugin));
}

/** Returns the sources of a configuration, by name. */
export function configuredSources(plugins: readonly unknown[]): Readonly<Record<string, DocumentSource>> {
  const own = plugins.flat(Number.POSITIVE_INFINITY).findLast(isOwn) as { options?: OpenapiOptions } | undefined;
  return own?.options?.sources ?? {};
}

function isOwn(plugin: unknown): boolean {
  return isPlainObject(plugin) && plugin['name'] === 'openapi';
}
