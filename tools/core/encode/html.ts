import type { FunctionContext } from '../../../plugins/executor-function/index.ts';

/** The characters that mean something in HTML as references. */
export async function encode({ text }: { readonly text: string }): Promise<{ escaped: string }> {
  const { escapeUTF8 } = await import('entities');
  return { escaped: escapeUTF8(text) };
}

interface Escaped {
  readonly escaped: string;
}

/** UTF-16 code units that take a millisecond at most, whatever they hold; longer texts are decoded in a child process. */
const quick = 1000;

/** A number that ends without a semicolon, as browsers read it too (HTML, 13.2.5.84): no word can be meant by it. */
const openNumber = /&#(?:x[\da-f]+(?![\da-f;])|\d+(?![\d;]))/gi;

/** Decodes the references of HTML, to U+FFFD for the number of no character. What is no reference, or an unknown one, stays. */
export function decode(parameters: Escaped, { inChild }: FunctionContext): Promise<{ text: string }> {
  if (parameters.escaped.length <= quick) return decodeNow(parameters);
  return inChild('./html.ts#decodeNow', { ...parameters }) as Promise<{ text: string }>;
}

export async function decodeNow({ escaped }: Escaped): Promise<{ text: string }> {
  const { decodeHTMLStrict } = await import('entities');
  return { text: decodeHTMLStrict(escaped.replace(openNumber, '$&;')) };
}
