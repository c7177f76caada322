import { type Decider, normalizeText } from '../../kernel/index.ts';

/**
 * Returns the form in which names of deciders are compared: names that look alike are one, so that nobody counts as two by a capital letter, a space, a
 * character without width, or another normalisation of Unicode.
 */
export function foldedName(name: string): string {
  const folded = normalizeText(normalizeText(name, 'NFKC').toLowerCase(), 'NFKC');
  return folded.replace(/[\p{C}\p{Z}]/gu, '');
}

/** Returns true when a decider has made the call: hosts name a caller as the decider, or as `<way>:<name>`, such as `console:ann`. */
export function isRequester({ way, name }: Decider, { caller }: { readonly caller: string }): boolean {
  const asked = foldedName(caller);
  return asked === foldedName(name) || asked === foldedName(`${way}:${name}`);
}
