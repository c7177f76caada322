import { type Completer, isPlainObject, type JsonObject } from '../../../kernel/index.ts';
import type { Upstream } from '../upstream.ts';
import { relayedMeta } from './relayed-meta.ts';
import { request } from './request.ts';

/** Completes one argument of a prompt, or one variable of a template, on the server. */
export function completer(upstream: Upstream, ref: JsonObject, argument: string): Completer {
  return async (typed, given, context) => {
    const params = {
      ref,
      argument: { name: argument, value: typed },
      ...(Object.keys(given).length === 0 ? {} : { context: { arguments: { ...given } } }),
    };
    const { completion, _meta } = await request(upstream, { method: 'completion/complete' }, params, context);
    const { values, total, hasMore } = isPlainObject(completion) ? completion : {};
    return {
      values: Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : [],
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof hasMore === 'boolean' ? { hasMore } : {}),
      ...relayedMeta(_meta),
    };
  };
}
