import {
  asText,
  type Lookup,
  parseTemplate,
  parseUrl,
  placeholdersIn,
  refuseValue,
  renderValue,
  ToolkitError,
} from '../../../kernel/index.ts';
import type { PathValue } from '../definition/styled.ts';
import { pathText } from './styles/path-text.ts';

interface UrlOptions {
  /** Styles of placeholders in the path, by name. @default as text */
  readonly paths?: Readonly<Record<string, PathValue>>;
  /** True for placeholders that the service fills in. @default none */
  readonly isSupplied?: (name: string) => boolean;
}

type UrlPart = 'start' | 'host' | 'path' | 'query' | 'fragment';

/**
 * Renders a URL template. In the path and the query every value is percent-encoded, so that it cannot leave its segment. Dot
 * segments are refused because URL parsers would remove them and their parents (RFC 3986, 5.2.4), backslashes because many
 * servers read them as slashes. A value in the host may have host characters only; if it is the whole authority and the
 * service supplies it, it may have a port as well. A value at the very start is a whole URL, or the base of one.
 */
export function renderUrl(template: string, lookup: Lookup, { paths = {}, isSupplied = () => false }: UrlOptions = {}): URL {
  const parts = parseTemplate(template);
  let text = '';
  let urlPart: UrlPart = 'start';
  let styledName: string | undefined;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      urlPart = partAfter(urlPart, part);
      text += part;
      continue;
    }
    const styled = urlPart === 'path' && Object.hasOwn(paths, part.name) ? paths[part.name] : undefined;
    const value = styled === undefined ? lookup(part.name) : renderValue(styled.value, lookup);
    if (value === undefined) throw missingInUrlError(part.name);
    if (styled !== undefined) styledName = placeholdersIn(styled.value)[0] ?? part.name;
    const [before, after = '/'] = [parts[index - 1], parts[index + 1]];
    const isAuthority = urlPart === 'host' && isSupplied(part.name) && /:\/\/$/.test(String(before)) && /^[/?#]/.test(String(after));
    if (styled !== undefined) text += styledPath(part.name, value, styled);
    else if (isAuthority) text += requireAuthority(part.name, asText(value));
    else if (urlPart === 'start') {
      text += parts.length === 1 ? requireUrl(part.name, asText(value)) : requireBaseUrl(part.name, asText(value));
      urlPart = 'path';
    } else {
      text += encodeFor(urlPart, part.name, asText(value));
    }
  }
  // A style adds characters of its own: the empty text is "." as a label.
  if (styledName !== undefined && hasDotSegment(text)) refuseValue(styledName, pathExpectation('a value without "." and ".." segments'));
  return parse(text);
}

/** Returns the placeholder names that decide which host is called. */
export function hostPlaceholders(template: string): string[] {
  const names: string[] = [];
  let urlPart: UrlPart = 'start';
  for (const part of parseTemplate(template)) {
    if (typeof part === 'string') urlPart = partAfter(urlPart, part);
    else if (urlPart === 'start' || urlPart === 'host') {
      names.push(part.name);
      if (urlPart === 'start') urlPart = 'path';
    }
  }
  return names;
}

function partAfter(urlPart: UrlPart, literal: string): UrlPart {
  let current = urlPart;
  let rest = literal;
  if (current === 'start') {
    current = 'host';
    rest = literal.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  }
  if (current === 'host' && /[/?#]/.test(rest)) {
    current = 'path';
    rest = rest.slice(rest.search(/[/?#]/));
  }
  if (current === 'path' && rest.includes('?')) current = 'query';
  return rest.includes('#') ? 'fragment' : current;
}

/** Returns the placeholder names in the path. */
export function pathPlaceholders(template: string): string[] {
  const names: string[] = [];
  let urlPart: UrlPart = 'start';
  for (const part of parseTemplate(template)) {
    if (typeof part === 'string') urlPart = partAfter(urlPart, part);
    else if (urlPart === 'path') names.push(part.name);
    else if (urlPart === 'start') urlPart = 'path';
  }
  return names;
}

function styledPath(placeholder: string, value: unknown, style: PathValue): string {
  const name = placeholdersIn(style.value)[0] ?? placeholder;
  const text = pathText(placeholder, value, style, (item) => {
    if (item !== '') checkPathValue(name, item);
  });
  if (text === undefined) refuseValue(name, pathExpectation('at least one item'));
  return text === '' ? refuseValue(name, pathExpectation('at least one character')) : text;
}

function hasDotSegment(url: string): boolean {
  const [path = ''] = url.split(/[?#]/);
  return path.split('/').some(isDotSegment);
}

function isDotSegment(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment);
}

function pathExpectation(expected: string): string {
  return `${expected}, because it is part of a URL path`;
}

/** Checks a host name or address with an optional port. */
function requireAuthority(name: string, value: string): string {
  const isOne = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(value);
  return isOne ? value : refuseValue(name, 'a host, and perhaps a port behind a colon, such as shop.example:8443');
}

function encodeFor(urlPart: UrlPart, name: string, value: string): string {
  if (urlPart === 'host')
    return /^[A-Za-z0-9.-]+$/.test(value) ? value : refuseValue(name, 'part of a host name: letters, digits, "." and "-"');
  if (urlPart === 'path') checkPathValue(name, value);
  return encodeURIComponent(value.toWellFormed());
}

function checkPathValue(name: string, value: string): void {
  const refuse = (expected: string): never => refuseValue(name, pathExpectation(expected));
  if (value === '') refuse('at least one character');
  if (value.includes('\\')) refuse('a value without backslashes');
  if (value.split(/\/|%2f|%5c/i).some(isDotSegment)) refuse('a value without "." and ".." segments');
}

function requireUrl(name: string, value: string): string {
  const url = /^https?:\/\//i.test(value) ? parseUrl(value) : undefined;
  if (url === undefined) return refuseValue(name, 'an absolute http or https URL');
  const { username, password } = url;
  return username === '' && password === '' ? value : refuseValue(name, 'a URL without a user name and password');
}

function requireBaseUrl(name: string, value: string): string {
  const base = requireUrl(name, value).replace(/\/$/, '');
  return /[?#]/.test(base) ? refuseValue(name, 'a base URL, without "?" and "#"') : base;
}

function parse(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      'The URL of the tool is not valid once its placeholders are filled in. Check the values that go into the host and the port.',
    );
  return url;
}

function missingInUrlError(name: string): ToolkitError {
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `Parameter "${name}" is part of the URL and was not given. Give it, or declare it "required: true".`,
    {
      issues: [{ path: name, message: 'is required' }],
    },
  );
}
