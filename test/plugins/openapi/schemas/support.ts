import { isPlainObject } from '../../../../kernel/index.ts';
import type { Located, Resolver } from '../../../../plugins/openapi/document/resolve.ts';

/** A resolver of one document, for tests of schemas alone. */
export function resolverOf(document: object): Resolver {
  const resolve = (reference: string, { base }: Located): Located | string => {
    const pointer = decodeURIComponent(reference.replace(/^[^#]*#/, ''));
    const value = pointer
      .split('/')
      .slice(1)
      .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as never)[key] : undefined),
        document,
      );
    return reference.startsWith('#') && value !== undefined ? { value, base, pointer } : `there is no ${reference}`;
  };
  const follow = (located: Located): Located | string => {
    const reference = isPlainObject(located.value) ? located.value['$ref'] : undefined;
    return typeof reference === 'string' ? resolve(reference, located) : located;
  };
  return { resolve, follow, at: () => undefined };
}

/** A schema in a document. */
export function located(value: unknown, pointer = '/test'): Located {
  return { value, base: 'doc.json', pointer };
}
