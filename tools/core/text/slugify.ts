import { normalizeText } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';

interface SlugParameters {
  readonly text: string;
  readonly separator: string;
  readonly max_length?: number;
}

/** Maximum UTF-16 code units to process in this process: they take at most a millisecond. A child process takes longer texts. */
const maxInlineUnits = 1000;

/** Turns a text into a part of a URL. Cuts it between words, unless the first word is too long. */
export function slugify(parameters: SlugParameters, { inChild }: FunctionContext): Promise<{ slug: string }> {
  if (parameters.text.length <= maxInlineUnits) return slugifyNow(parameters);
  return inChild('./slugify.ts#slugifyNow', { ...parameters }) as Promise<{ slug: string }>;
}

/** Does the work of `slugify` in this process. Throws INVALID_PARAMETERS for too many combining marks in a row. */
export async function slugifyNow({ text, separator, max_length = Number.POSITIVE_INFINITY }: SlugParameters): Promise<{ slug: string }> {
  const { default: toSlug } = await import('@sindresorhus/slugify');
  // The library normalizes too, but takes very long for many combining marks.
  const slug = toSlug(normalizeText(text), { separator, decamelize: false });
  return { slug: slug.length <= max_length ? slug : cut(slug, max_length, separator) };
}

function cut(slug: string, length: number, separator: string): string {
  if (separator === '') return slug.slice(0, length);
  // Includes one separator after the limit, so that a word that ends there counts as whole.
  const wordEnd = slug.slice(0, length + separator.length).lastIndexOf(separator);
  return slug.slice(0, wordEnd > 0 ? wordEnd : length);
}
