import { createRequire } from 'node:module';

/** Loaded when a file must be parsed: a start with a manifest does without. */
export function yaml(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml') as typeof import('yaml');
}
