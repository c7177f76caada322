import { parseUrl } from '../../../kernel/index.ts';

/** Returns the value of a name; undefined when there is none. */
export type ResolveName = (name: string) => string | undefined;

/** A name in an address: `{NAME}` or `${NAME}`. */
const placeholder = /\$?\{(\w+)\}/g;

/** Characters of a host name, and those with a port. */
const hostText = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
const hostAndPort = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/;

/** Returns the names in an address or another text. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name);
}

/**
 * Fills the names of an address, such as `https://{SHOP}.acme.example/token`. A name that stands for the address begins it (`{INSTANCE_URL}/token`);
 * one in the host takes host characters only; one behind it becomes one part of the path or query. So no value leads to another origin than
 * the author of the address meant. Throws Error with the reason, without the value. Every name must have a value.
 */
export function fillAddress(address: string, resolve: ResolveName): string {
  const [, before = '', host = '', rest = ''] = /^(https?:\/\/)?([^/?#]*)(.*)$/s.exec(address) ?? [];
  if (before === '') return fillBase(address, resolve);
  const filledHost = host.replaceAll(placeholder, (whole: string, name: string, at: number) => {
    const value = resolve(name) ?? '';
    const isEnd = at + whole.length === host.length;
    if ((isEnd ? hostAndPort : hostText).test(value)) return value;
    throw new Error(`expected letters, digits, dots and dashes in ${name}, which is in the host, received something else`);
  });
  return `${before}${filledHost}${fillParts(rest, resolve)}`;
}

function fillBase(address: string, resolve: ResolveName): string {
  const [whole = '', name = ''] = /^\$?\{(\w+)\}/.exec(address) ?? [];
  const value = resolve(name) ?? '';
  const url = parseUrl(value);
  const isAddress =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && !/[#\\\s]/.test(value);
  const rest = address.slice(whole.length);
  const isBase = rest === '' || (/^[/?]/.test(rest) && url?.search === '');
  if (whole === '' || !isAddress || !isBase)
    throw new Error(`expected an address with https in ${name}, without user and fragment, received something else`);
  return rest === '' ? value : `${value.replace(/\/+$/, '')}${fillParts(rest, resolve)}`;
}

function fillParts(text: string, resolve: ResolveName): string {
  return text.replaceAll(placeholder, (_whole, name: string) => {
    const value = resolve(name) ?? '';
    // Parsers of URLs resolve dot segments, escaped or not.
    if (value === '' || /^\.{1,2}$/.test(value)) throw new Error(`expected a name in ${name}, which is a part of the path, received dots`);
    return encodeURIComponent(value);
  });
}
