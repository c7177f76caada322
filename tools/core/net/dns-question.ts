import net from 'node:net';
import { asciiHost, excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { RecordType } from './dns-records.ts';

export interface Question {
  /** Name in ASCII, as sent. */
  readonly name: string;
  /** Address that a name of reverse lookup stands for; a range has zeros for the missing parts. */
  readonly address?: string;
}

/** Names of reverse lookup (RFC 1035, 3.5, and RFC 3596, 2.5). */
const reverseZone = /^(?:(.*)\.)?(in-addr|ip6)\.arpa$/i;

/** Returns the question to send. Throws INVALID_PARAMETERS for an invalid domain name. */
export async function questionOf(given: string, type: RecordType): Promise<Question> {
  const text = given.trim();
  if (net.isIP(text) === 0) {
    const name = asciiName(text);
    if (type === 'PTR' && !reverseZone.test(name)) throw badName(`expected an IP address for type PTR, received "${excerpt(text)}"`);
    const address = addressBehind(name);
    return { name, ...(address === undefined ? {} : { address }) };
  }
  if (type !== 'PTR')
    throw badName(`expected a domain name for type ${type}, received the address "${excerpt(text)}". For its names set "type" to PTR`);
  if (text.includes('%')) throw badName(`expected an address without a zone, received "${excerpt(text)}"`);
  return { name: await reverseName(text), address: text };
}

function asciiName(text: string): string {
  const absolute = text === '.' ? text : text.replace(/\.$/, '');
  const isPlain = /^[\w.*-]+$/.test(absolute);
  // `asciiHost` decodes percent signs, which have no meaning in a domain name.
  const ascii = isPlain || /[%\s/\\:@?#[\]"]/.test(absolute) ? absolute : asciiHost(absolute);
  const labels = ascii.split('.');
  const isName = ascii === '.' || (/^[\w.*-]+$/.test(ascii) && labels.every((label) => label.length >= 1 && label.length <= 63));
  if (!isName) throw badName(`expected a domain name without scheme, port and path, such as example.com, received "${excerpt(text)}"`);
  if (ascii.length > 253) throw badName(`expected a domain name of at most 253 characters, received one of ${ascii.length}`);
  return ascii;
}

async function reverseName(address: string): Promise<string> {
  const { default: ipaddr } = await import('ipaddr.js');
  const bytes = ipaddr.process(address).toByteArray();
  if (bytes.length === 4) return `${bytes.reverse().join('.')}.in-addr.arpa`;
  const digits = bytes.flatMap((byte) => [byte >> 4, byte & 15].map((digit) => digit.toString(16)));
  return `${digits.reverse().join('.')}.ip6.arpa`;
}

/** Returns the address that a name of reverse lookup stands for. Uses the valid parts from the right and ignores the others. */
function addressBehind(name: string): string | undefined {
  const [, labels = '', kind = ''] = reverseZone.exec(name) ?? [];
  const isFour = kind.toLowerCase() === 'in-addr';
  const isPart = (label: string): boolean => (isFour ? /^\d{1,3}$/.test(label) && Number(label) <= 255 : /^[0-9a-f]$/i.test(label));
  const ordered = labels.split('.').reverse();
  const end = ordered.findIndex((label) => !isPart(label));
  const known = ordered.slice(0, end < 0 ? ordered.length : end);
  if (known.length === 0) return undefined;
  const parts = Array.from({ length: isFour ? 4 : 32 }, (_, index) => known[index] ?? '0');
  return isFour ? parts.map(Number).join('.') : (parts.join('').match(/.{4}/g) ?? []).join(':');
}

function badName(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "name": ${message}.`, { issues: [{ path: 'name', message }] });
}
