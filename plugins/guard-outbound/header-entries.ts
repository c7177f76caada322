import type { Dispatcher } from 'undici';

/** Returns the headers of a request as pairs. A dispatcher may be given a flat list, pairs or an object. */
export function headerEntries(headers: Dispatcher.DispatchOptions['headers']): readonly (readonly [string, string | string[]])[] {
  if (Array.isArray(headers))
    return Array.from({ length: headers.length / 2 }, (_, index) => [headers[index * 2] ?? '', headers[index * 2 + 1] ?? ''] as const);
  if (Symbol.iterator in (headers ?? {})) return [...(headers as Iterable<[string, string]>)];
  return Object.entries((headers ?? {}) as Record<string, string>);
}
