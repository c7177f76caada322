import { strictUtf8 } from '../../../../plugins/shared/text/utf8.ts';
import { plainText } from '../feed-text.ts';
import { elementsIn, markupIn, textIn } from '../xml-nodes.ts';
import type { FeedElement } from './feed-element.ts';

/** Media types of texts, and Atom's names for them. */
const textTypes = /^(text|html|xhtml|text\/.*|.*[/+]xml|multipart\/.*)$/i;

/**
 * Returns the plain text of an element that may hold markup: as child elements, as text, or in base64 (Atom 0.3, 3.2.2). In
 * Atom a text is plain unless its type says otherwise (RFC 4287, 3.1.1); elsewhere every text may be HTML. Returns null for an
 * empty text, and for content that is not text.
 */
export async function wordsOf(element: FeedElement, isAtom: boolean): Promise<string | null> {
  const type = element.attribute('type')?.replace(/;.*$/, '').trim() ?? (isAtom ? 'text' : 'html');
  if (isAtom && !textTypes.test(type)) return null;
  const inBase64 = element.attribute('mode')?.toLowerCase() === 'base64';
  const written = elementsIn(element.node).length > 0 ? markupIn(element.node) : textIn(element.node);
  const text = (inBase64 ? (strictUtf8(Buffer.from(written, 'base64')) ?? '') : written).trim();
  const isPlain = isAtom && /^(text|text\/plain)$/i.test(type) && elementsIn(element.node).length === 0;
  const words = isPlain ? text : (await plainText(text)).trim();
  return words === '' ? null : words;
}
