import { type ClientCertificate, type Lookup, placeholdersIn, refuseValue, renderText } from '../../../kernel/index.ts';
import { type Auth, type AuthDefinition, alternativesOf } from '../definition/auth.ts';
import { requireCookieText } from './cookies.ts';
import { requireHeaderText } from './header-text.ts';

/** The headers, query, cookies and form fields that authentication adds to a request. */
export interface RenderedAuth {
  readonly headers: readonly (readonly [string, string])[];
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
  readonly form: readonly (readonly [string, string])[];
  readonly clientCertificate?: ClientCertificate;
  /** Values composed from credentials, which must be masked as well. */
  readonly composed: readonly string[];
}

const noAuth: RenderedAuth = { headers: [], query: [], cookies: [], form: [], composed: [] };

/**
 * Renders the authentication of a definition: of several alternatives, the first whose placeholders all have values. A style
 * with a missing value adds nothing.
 */
export function renderAuth(auth: AuthDefinition | undefined, lookup: Lookup): RenderedAuth {
  const alternatives = alternativesOf(auth);
  const isComplete = (alternative: readonly Auth[]): boolean => placeholdersIn(alternative).every((name) => lookup(name) !== undefined);
  const chosen = alternatives.length < 2 ? alternatives[0] : alternatives.find(isComplete);
  const rendered = (chosen ?? []).map((style) => renderStyle(style, lookup));
  const clientCertificate = rendered.map((one) => one.clientCertificate).findLast((certificate) => certificate !== undefined);
  return {
    headers: rendered.flatMap(({ headers }) => headers),
    query: rendered.flatMap(({ query }) => query),
    cookies: rendered.flatMap(({ cookies }) => cookies),
    form: rendered.flatMap(({ form }) => form),
    composed: rendered.flatMap(({ composed }) => composed),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
  };
}

function renderStyle(style: Auth, lookup: Lookup): RenderedAuth {
  switch (style.type) {
    case 'basic':
      return renderBasic(style, lookup);
    case 'bearer':
      return renderHeader('Authorization', style.token, lookup, (token) => `Bearer ${token}`);
    case 'header':
      return renderHeader(style.name, style.value, lookup, (value) => value);
    case 'query':
      return { ...noAuth, query: renderPair(style, lookup) };
    case 'cookie':
      return { ...noAuth, cookies: renderPair(style, lookup, requireCookieText) };
    case 'form':
      return { ...noAuth, form: renderPair(style, lookup) };
    case 'client_certificate':
      return renderCertificate(style, lookup);
    case 'none':
      return noAuth;
  }
}

function renderBasic(style: Extract<Auth, { type: 'basic' }>, lookup: Lookup): RenderedAuth {
  const username = renderText(style.username, lookup);
  const password = style.password === undefined ? '' : renderText(style.password, lookup);
  if (username === undefined || password === undefined) return noAuth;
  // RFC 7617, 2: the first colon ends the name.
  if (username.includes(':')) return refuseValue(placeholdersIn(style.username)[0] ?? 'username', 'a user name without ":"');
  const composed = `${username}:${password}`;
  return { ...noAuth, headers: [['Authorization', `Basic ${Buffer.from(composed, 'utf8').toString('base64')}`]], composed: [composed] };
}

function renderHeader(name: string, template: string, lookup: Lookup, compose: (value: string) => string): RenderedAuth {
  const value = renderText(template, lookup, { encode: requireHeaderText });
  return value === undefined ? noAuth : { ...noAuth, headers: [[name, compose(value)]] };
}

function renderPair(
  { name, value: template }: { readonly name: string; readonly value: string },
  lookup: Lookup,
  encode?: (text: string, name: string) => string,
): [string, string][] {
  const value = renderText(template, lookup, encode === undefined ? {} : { encode });
  return value === undefined ? [] : [[name, value]];
}

function renderCertificate(style: Extract<Auth, { type: 'client_certificate' }>, lookup: Lookup): RenderedAuth {
  const cert = renderText(style.certificate, lookup);
  const key = renderText(style.private_key, lookup);
  const passphrase = style.passphrase === undefined ? undefined : renderText(style.passphrase, lookup);
  if (cert === undefined || key === undefined) return noAuth;
  return { ...noAuth, clientCertificate: { cert, key, ...(passphrase === undefined ? {} : { passphrase }) } };
}
