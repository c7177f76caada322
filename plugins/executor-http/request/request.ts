import { type ClientCertificate, type Lookup, placeholdersIn, renderText, renderValue } from '../../../kernel/index.ts';
import type { HttpExecution } from '../definition/execution.ts';
import { renderAuth } from './auth.ts';
import { pairsOf, renderBody } from './body.ts';
import { headerText } from './header-text.ts';
import { renderUrl } from './url.ts';

export interface RenderedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** Names of the headers that carry a credential. */
  readonly secretHeaders: readonly string[];
  /** The body carries a credential. */
  readonly hasSecretBody: boolean;
  /** For the first origin only. */
  readonly clientCertificate?: ClientCertificate;
  /** Values composed from credentials, to be masked as well. */
  readonly composed: readonly string[];
}

/** Fills every placeholder of an http execution in. `isCredential` says which placeholder names stand for secrets. */
export function renderRequest(execution: HttpExecution, lookup: Lookup, isCredential: (name: string) => boolean): RenderedRequest {
  const auth = renderAuth(execution.auth, lookup);
  const url = requestUrl(execution, lookup);
  for (const [name, value] of auth.query) url.searchParams.append(name, value);
  const templates = execution.headers ?? {};
  const headers = renderHeaders(templates, lookup);
  for (const [name, value] of auth.headers) headers.set(name, value);
  const { body, contentType } = renderBody(execution, headers.get('content-type') ?? undefined, lookup, auth.form);
  if (contentType !== undefined && !headers.has('content-type')) headers.set('content-type', contentType);
  const isSecret = (template: unknown): boolean => placeholdersIn(template).some(isCredential);
  return {
    method: execution.method.toUpperCase(),
    url,
    headers,
    body,
    secretHeaders: [...Object.keys(templates).filter((name) => isSecret(templates[name])), ...auth.headers.map(([name]) => name)],
    hasSecretBody: isSecret(execution.body) || isSecret(execution.form) || auth.form.length > 0,
    ...(auth.clientCertificate === undefined ? {} : { clientCertificate: auth.clientCertificate }),
    composed: auth.composed,
  };
}

/** The URL without what authentication adds to it. */
export function requestUrl({ url: template, query_params: query }: HttpExecution, lookup: Lookup): URL {
  const url = renderUrl(template, lookup);
  for (const [name, value] of pairsOf(renderValue(query, lookup))) url.searchParams.append(name, value);
  return url;
}

function renderHeaders(templates: Readonly<Record<string, string>>, lookup: Lookup): Headers {
  const headers = new Headers();
  for (const [name, template] of Object.entries(templates)) {
    const value = renderText(template, lookup, { encode: headerText });
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}
