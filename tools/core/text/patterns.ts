import { isIPv4, isIPv6 } from 'node:net';
import { type Span, spansOf } from './span.ts';

/** A `.` ends an address at the end of a sentence only. */
const ipv4 = /(?<![\w.:-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/g;
const ipv6 = /(?<![\w.:])(?=[\da-f]*:[\da-f]*:)[\da-f:]{2,39}(?:(?:\.\d{1,3}){3})?(?![\w:]|\.\d)/gi;

/** IPv4 and IPv6 addresses, without port and prefix length. One without a digit, such as add::face, is more often a name of a program. */
export function ipsIn(text: string): readonly Span[] {
  const isAddress = ([found]: RegExpExecArray): boolean => isIPv6(found) && /\d/.test(found);
  return [...spansOf(text, ipv4, ([found]) => isIPv4(found)), ...spansOf(text, ipv6, isAddress)];
}

/** RFC 9562, 4: of any version. */
export function uuidsIn(text: string): readonly Span[] {
  return spansOf(text, /(?<![\w-])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\w-])/gi);
}

/** `#` and a word that has a letter. */
export function hashtagsIn(text: string): readonly Span[] {
  return spansOf(text, /(?<![\p{L}\p{M}\p{N}_&/#])[#＃](?=[\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+/gu);
}

/** `@` and a name, as on social networks and code hosts; what stands behind the @ of an e-mail address is none. */
export function mentionsIn(text: string): readonly Span[] {
  return spansOf(text, /(?<![\p{L}\p{M}\p{N}_.@/+-])[@＠][\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_]|[.-](?=[\p{L}\p{N}_])){0,63}/gu);
}
