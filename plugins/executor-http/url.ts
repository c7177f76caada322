import { asText, type Lookup, parseTemplate, refuseValue, ToolkitError } from '../../kernel/index.ts';

type Place = 'start' | 'host' | 'path' | 'query' | 'fragment';

/**
 * Fills in a URL template. In the path and the query every value is percent-encoded, so that it cannot leave its segment; a dot
 * segment is refused because URL parsers would remove it and its parent (RFC 3986, 5.2.4). A value in the host may hold only host
 * characters. A value at the very start is a whole URL, or the base of one.
 */
export function renderUrl(template: string, lookup: Lookup): URL {
  let text = '';
  let segmentStart = 0;
  let place: Place = 'start';
  for (const part of parseTemplate(template)) {
    if (typeof part === 'string') {
      place = placeAfter(place, part);
      text += part;
      if (part.includes('/')) segmentStart = text.lastIndexOf('/') + 1;
      continue;
    }
    const value = lookup(part.name);
    if (value === undefined) throw missingInUrl(part.name);
    if (place === 'start') {
      text += baseUrl(part.name, asText(value));
      place = 'path';
      segmentStart = text.length;
      continue;
    }
    text += encodeFor(place, part.name, asText(value));
    if (place === 'path' && isDotSegment(text.slice(segmentStart))) refuseValue(part.name, 'a path segment other than "." and ".."');
  }
  return parse(text);
}

/** The placeholder names that decide which host is called. */
export function hostPlaceholders(template: string): string[] {
  const names: string[] = [];
  let place: Place = 'start';
  for (const part of parseTemplate(template)) {
    if (typeof part === 'string') place = placeAfter(place, part);
    else if (place === 'start' || place === 'host') {
      names.push(part.name);
      if (place === 'start') place = 'path';
    }
  }
  return names;
}

function placeAfter(place: Place, literal: string): Place {
  let now = place;
  let rest = literal;
  if (now === 'start') {
    now = 'host';
    rest = literal.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  }
  if (now === 'host' && /[/?#]/.test(rest)) {
    now = 'path';
    rest = rest.slice(rest.search(/[/?#]/));
  }
  if (now === 'path' && rest.includes('?')) now = 'query';
  return rest.includes('#') ? 'fragment' : now;
}

function encodeFor(place: Place, name: string, value: string): string {
  if (place === 'host')
    return /^[A-Za-z0-9.-]+$/.test(value) ? value : refuseValue(name, 'part of a host name: letters, digits, "." and "-"');
  if (place === 'path' && value === '') return refuseValue(name, 'at least one character, because it is part of a URL path');
  if (place === 'path' && decodedSegments(value).some(isDotSegment))
    return refuseValue(name, 'a value without "." and ".." segments, because it is part of a URL path');
  return encodeURIComponent(value.toWellFormed());
}

function decodedSegments(value: string): string[] {
  return value.replace(/%2f/gi, '/').replace(/%5c/gi, '/').split(/[/\\]/);
}

function isDotSegment(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment);
}

function baseUrl(name: string, value: string): string {
  return URL.canParse(value) && /^https?:\/\//i.test(value) ? value.replace(/\/$/, '') : refuseValue(name, 'an absolute http or https URL');
}

function parse(text: string): URL {
  if (!URL.canParse(text))
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      'The URL of the tool is not valid once its placeholders are filled in. Check the values that go into the host and the port.',
    );
  return new URL(text);
}

function missingInUrl(name: string): ToolkitError {
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `Parameter "${name}" is part of the URL and was not given. Give it, or declare it "required: true".`,
    {
      issues: [{ path: name, message: 'is required' }],
    },
  );
}
