import type { Located } from '../document/resolve.ts';

/** Returns a part of a located value: `value` is the one at these segments below it. */
export function withSegments({ base, pointer }: Located, value: unknown, ...segments: readonly (string | number)[]): Located {
  const path = segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return { value, base, pointer: pointer + path };
}
