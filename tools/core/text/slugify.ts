import { normalizeText } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';

interface SlugParameters {
  readonly text: string;
  readonly separator: string;
  readonly max_length?: number;
}

/** UTF-16 code units that take a millisecond at most, whatever they hold; longer texts are changed in a child process. */
const quick = 1000;

/** Makes of a text a part of an address. Cut between words where that leaves one. */
export function slugify(parameters: SlugParameters, { inChild }: FunctionContext): Promise<{ slug: string }> {
  if (parameters.text.length <= quick) return slugifyNow(parameters);
  return inChild('./slugify.ts#slugifyNow', { ...parameters }) as Promise<{ slug: string }>;
}

/** The same, here. Throws INVALID_PARAMETERS for too many marks in a row. */
export async function slugifyNow({ text, separator, max_length = Number.POSITIVE_INFINITY }: SlugParameters): Promise<{ slug: string }> {
  const { default: toSlug } = await import('@sindresorhus/slugify');
  // The library begins with the same, and would work on marks without end.
  const slug = toSlug(normalizeText(text), { separator, decamelize: false });
  return { slug: slug.length <= max_length ? slug : cut(slug, max_length, separator) };
}

function cut(slug: string, length: number, separator: string): string {
  if (separator === '') return slug.slice(0, length);
  // With the separator behind it a word is whole.
  const wordEnd = slug.slice(0, length + separator.length).lastIndexOf(separator);
  return slug.slice(0, wordEnd > 0 ? wordEnd : length);
}
