import { createRequire } from 'node:module';

/** Loads the YAML library on first use: a start with a manifest needs no parser. */
export function yaml(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml') as typeof import('yaml');
}
