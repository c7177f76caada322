import type { FunctionContext } from '../../../plugins/executor-function/index.ts';

/** Replaces the special characters of HTML by references. */
export async function encode({ text }: { readonly text: string }): Promise<{ escaped: string }> {
  const { escapeUTF8 } = await import('entities');
  return { escaped: escapeUTF8(text) };
}

interface DecodeParameters {
  readonly escaped: string;
}

/** Maximum UTF-16 code units to decode in this process: they take at most a millisecond. A child process takes longer texts. */
const maxInlineUnits = 1000;

/** Matches a numeric reference without a semicolon, which browsers accept (HTML, 13.2.5.84). */
const openNumber = /&#(?:x[\da-f]+(?![\da-f;])|\d+(?![\d;]))/gi;

/** Decodes the references of HTML. A number without a character becomes U+FFFD; an unknown reference stays. */
export function decode(parameters: DecodeParameters, { inChild }: FunctionContext): Promise<{ text: string }> {
  if (parameters.escaped.length <= maxInlineUnits) return decodeNow(parameters);
  return inChild('./html.ts#decodeNow', { ...parameters }) as Promise<{ text: string }>;
}

export async function decodeNow({ escaped }: DecodeParameters): Promise<{ text: string }> {
  const { decodeHTMLStrict } = await import('entities');
  return { text: decodeHTMLStrict(escaped.replace(openNumber, '$&;')) };
}
