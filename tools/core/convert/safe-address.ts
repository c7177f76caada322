import { parseUrl } from '../../../kernel/index.ts';

/** Base that resolves relative addresses while they are checked. */
const placeholder = 'https://relative.invalid/';

const harmless: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * Returns the address for a link or an image: absolute when there is a base, else as written. Undefined for anything that is no address, and
 * for every scheme but http, https, mailto and tel, such as javascript: and data:.
 */
export function safeAddress(written: string | null, base: string | undefined): string | undefined {
  const address = (written ?? '').trim();
  const url = address === '' ? undefined : parseUrl(address, base ?? placeholder);
  if (url === undefined || !harmless.has(url.protocol)) return undefined;
  // These characters would end the address in Markdown.
  return (base === undefined && parseUrl(address) === undefined ? address : url.href).replace(/[\s()<>\\]/g, percentEncoded);
}

function percentEncoded(character: string): string {
  return { '(': '%28', ')': '%29' }[character] ?? encodeURIComponent(character);
}
