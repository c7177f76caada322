import { type ClientCertificate, type Lookup, placeholdersIn, refuseValue, renderText } from '../../../kernel/index.ts';
import { type Auth, alternativesOf, type WrittenAuth } from '../definition/auth.ts';
import { headerText } from './header-text.ts';

/** The headers, query and form fields that authentication adds to a request. */
export interface RenderedAuth {
  readonly headers: readonly (readonly [string, string])[];
  readonly query: readonly (readonly [string, string])[];
  readonly form: readonly (readonly [string, string])[];
  readonly clientCertificate?: ClientCertificate;
  /** Values composed from credentials, which must be masked as well. */
  readonly composed: readonly string[];
}

const nothing: RenderedAuth = { headers: [], query: [], form: [], composed: [] };

/**
 * Renders the authentication of a definition: of several alternatives, the first whose placeholders all have values. A style
 * with a missing value adds nothing.
 */
export function renderAuth(auth: WrittenAuth | undefined, lookup: Lookup): RenderedAuth {
  const ways = alternativesOf(auth);
  const isWhole = (way: readonly Auth[]): boolean => placeholdersIn(way).every((name) => lookup(name) !== undefined);
  const taken = ways.length < 2 ? ways[0] : ways.find(isWhole);
  const rendered = (taken ?? []).map((style) => renderStyle(style, lookup));
  const clientCertificate = rendered.map((one) => one.clientCertificate).findLast((certificate) => certificate !== undefined);
  return {
    headers: rendered.flatMap(({ headers }) => headers),
    query: rendered.flatMap(({ query }) => query),
    form: rendered.flatMap(({ form }) => form),
    composed: rendered.flatMap(({ composed }) => composed),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
  };
}

function renderStyle(style: Auth, lookup: Lookup): RenderedAuth {
  switch (style.type) {
    case 'basic':
      return basic(style, lookup);
    case 'bearer':
      return header('Authorization', style.token, lookup, (token) => `Bearer ${token}`);
    case 'header':
      return header(style.name, style.value, lookup, (value) => value);
    case 'query':
      return { ...nothing, query: pair(style, lookup) };
    case 'form':
      return { ...nothing, form: pair(style, lookup) };
    case 'client_certificate':
      return certificate(style, lookup);
    case 'none':
      return nothing;
  }
}

function basic(style: Extract<Auth, { type: 'basic' }>, lookup: Lookup): RenderedAuth {
  const username = renderText(style.username, lookup);
  const password = style.password === undefined ? '' : renderText(style.password, lookup);
  if (username === undefined || password === undefined) return nothing;
  // RFC 7617, 2: the first colon ends the name.
  if (username.includes(':')) return refuseValue(placeholdersIn(style.username)[0] ?? 'username', 'a user name without ":"');
  const both = `${username}:${password}`;
  return { ...nothing, headers: [['Authorization', `Basic ${Buffer.from(both, 'utf8').toString('base64')}`]], composed: [both] };
}

function header(name: string, template: string, lookup: Lookup, compose: (value: string) => string): RenderedAuth {
  const value = renderText(template, lookup, { encode: headerText });
  return value === undefined ? nothing : { ...nothing, headers: [[name, compose(value)]] };
}

function pair({ name, value: template }: { readonly name: string; readonly value: string }, lookup: Lookup): [string, string][] {
  const value = renderText(template, lookup);
  return value === undefined ? [] : [[name, value]];
}

function certificate(style: Extract<Auth, { type: 'client_certificate' }>, lookup: Lookup): RenderedAuth {
  const cert = renderText(style.certificate, lookup);
  const key = renderText(style.private_key, lookup);
  const passphrase = style.passphrase === undefined ? undefined : renderText(style.passphrase, lookup);
  if (cert === undefined || key === undefined) return nothing;
  return { ...nothing, clientCertificate: { cert, key, ...(passphrase === undefined ? {} : { passphrase }) } };
}
