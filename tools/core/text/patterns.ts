import { isIPv4, isIPv6 } from 'node:net';
import { type Span, spansOf } from './span.ts';

/** Matches an IPv4 address. A `.` after it counts as the end of a sentence, unless a digit follows. */
const ipv4 = /(?<![\w.:-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/g;
const ipv6 = /(?<![\w.:])(?=[\da-f]*:[\da-f]*:)[\da-f:]{2,39}(?:(?:\.\d{1,3}){3})?(?![\w:]|\.\d)/gi;

/** Finds IPv4 and IPv6 addresses, without port and prefix length. Skips those without a digit: add::face is more often a name in a program. */
export function ipsIn(text: string): readonly Span[] {
  const isAddress = ([found]: RegExpExecArray): boolean => isIPv6(found) && /\d/.test(found);
  return [...spansOf(text, ipv4, ([found]) => isIPv4(found)), ...spansOf(text, ipv6, isAddress)];
}

/** Finds UUIDs of any version (RFC 9562, 4). */
export function uuidsIn(text: string): readonly Span[] {
  return spansOf(text, /(?<![\w-])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\w-])/gi);
}

/** Finds `#` with a word that has a letter. */
export function hashtagsIn(text: string): readonly Span[] {
  return spansOf(text, /(?<![\p{L}\p{M}\p{N}_&/#])[#＃](?=[\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+/gu);
}

/** Finds `@` with a name, as on social networks and code hosts. Skips the domain of an e-mail address. */
export function mentionsIn(text: string): readonly Span[] {
  return spansOf(text, /(?<![\p{L}\p{M}\p{N}_.@/+-])[@＠][\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_]|[.-](?=[\p{L}\p{N}_])){0,63}/gu);
}
