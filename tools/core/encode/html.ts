import { excerpt } from '../../../kernel/index.ts';
import { malformed } from './malformed.ts';

/** The characters that mean something in HTML as references. */
export async function encode({ text }: { readonly text: string }): Promise<{ escaped: string }> {
  const { escapeUTF8 } = await import('entities');
  return { escaped: escapeUTF8(text) };
}

/**
 * The characters that the references of HTML stand for. An `&` that begins none stays. Throws INVALID_PARAMETERS for a reference to
 * something that does not exist.
 */
export async function decode({ escaped }: { readonly escaped: string }): Promise<{ text: string }> {
  const { decodeHTMLStrict } = await import('entities');
  const isKnown = new Map<string, boolean>();
  for (const { 0: reference, 1: number, index } of escaped.matchAll(/&(?:#([a-z\d]*)|[a-z][a-z\d]*);/gi)) {
    if (!isKnown.has(reference))
      isKnown.set(reference, number === undefined ? decodeHTMLStrict(reference) !== reference : isCharacter(number));
    if (isKnown.get(reference) === true) continue;
    const advice = 'For the text itself write &amp; in place of the &.';
    throw malformed(
      { parameter: 'escaped', text: escaped },
      index,
      'a character reference that HTML knows',
      advice,
      excerpt(reference, 60),
    );
  }
  return { text: decodeHTMLStrict(escaped) };
}

/** The part between `&#` and `;`. */
function isCharacter(number: string): boolean {
  const [, hexadecimal, decimal] = /^(?:x([\da-f]+)|(\d+))$/i.exec(number) ?? [];
  const code = hexadecimal === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hexadecimal, 16);
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}
