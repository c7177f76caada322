import { normalizeText } from '../../kernel/index.ts';
import { operationError } from './operation-error.ts';

/** File names with a special meaning in a collection. */
const reserved = new Set(['collection', 'folder', 'environments']);

/**
 * Refuses names that would corrupt a file or leave its folder: with control characters, braces or slashes. Throws INVALID_PARAMETERS, naming
 * the parameter.
 */
export function checkName(parameter: string, name: string): void {
  const forbidden = name.match(/[\p{Cc}\u2028\u2029{}/\\]/u)?.[0];
  const problem =
    name.trim() === ''
      ? 'received only spaces'
      : name !== name.trim()
        ? 'received one with a space at its end'
        : /^\.+$/.test(name)
          ? 'received only dots'
          : forbidden === undefined
            ? undefined
            : `received one with ${JSON.stringify(forbidden)}`;
  if (problem !== undefined)
    throw operationError(
      `"${parameter}" cannot be used: expected a name without control characters, braces and slashes, ${problem}.`,
      'INVALID_PARAMETERS',
    );
}

/** Returns the file name of a request, without extension: lower-case letters, digits and hyphens. */
export async function slugOf(parameter: string, name: string): Promise<string> {
  const { default: slugify } = await import('@sindresorhus/slugify');
  // The library drops Chinese, Japanese and Korean letters: keep those as they are.
  const latin = slugify(normalizeText(name)).slice(0, 100);
  const slug = (
    latin === ''
      ? normalizeText(name)
          .replace(/[^\p{L}\p{N}]+/gu, '-')
          .slice(0, 60)
      : latin
  ).replace(/^-+|-+$/g, '');
  if (slug === '')
    throw operationError(
      `"${parameter}" cannot become the name of a file: expected at least one letter or digit, received "${name}".`,
      'INVALID_PARAMETERS',
    );
  return reserved.has(slug) ? `${slug}-request` : slug;
}
