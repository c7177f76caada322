import { type ClientCertificate, type Lookup, placeholdersIn, renderText } from '../../../kernel/index.ts';
import { stylesOf } from '../definition/auth.ts';
import type { HttpExecution } from '../definition/execution.ts';
import { renderAuth } from './auth.ts';
import { isBodyAbsent, renderBody } from './body.ts';
import { cookieHeader } from './cookies.ts';
import { renderFiles } from './file-body.ts';
import { requireHeaderText, styledHeader } from './header-text.ts';
import type { StreamedBody } from './streamed-body.ts';
import { refuseFixedNames } from './styles/fixed-names.ts';
import { hasStyled, partTexts, type QueryPart, queryParts } from './styles/query-parts.ts';
import { renderUrl } from './url.ts';

export interface RenderedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | StreamedBody | undefined;
  /** Names of the headers that carry a credential. */
  readonly secretHeaders: readonly string[];
  /** True when the body carries a credential. */
  readonly hasSecretBody: boolean;
  /** Sent to the first origin only. */
  readonly clientCertificate?: ClientCertificate;
  /** Values composed from credentials, which must be masked as well. */
  readonly composed: readonly string[];
}

/** Renders the request of an http execution. `isCredential` is true for placeholder names that stand for secrets. */
export async function renderRequest(
  execution: HttpExecution,
  lookup: Lookup,
  isCredential: (name: string) => boolean,
): Promise<RenderedRequest> {
  const auth = renderAuth(execution.auth, lookup);
  const url = requestUrl(execution, lookup, isCredential);
  addQuery(
    url,
    auth.query.map(([name, value]) => ({ name, value })),
    hasStyled(execution.query_params),
  );
  const templates = execution.headers ?? {};
  const headers = renderHeaders(templates, lookup);
  for (const [name, value] of auth.headers) headers.set(name, value);
  const cookies = cookieHeader(execution, lookup, headers.get('cookie') ?? undefined, auth.cookies);
  if (cookies !== undefined) headers.set('cookie', cookies);
  refuseFixedNames(
    execution.form ?? {},
    lookup,
    isCredential,
    auth.form.map(([name]) => name),
  );
  refuseFixedNames(execution.multipart ?? {}, lookup, isCredential);
  const { body, contentType } = isBodyAbsent(execution, lookup, isCredential, auth.form)
    ? { body: undefined }
    : ((await renderFiles(execution, lookup)) ?? renderBody(execution, headers.get('content-type') ?? undefined, lookup, auth.form));
  if (body === undefined && (execution.body_optional === true || execution.body_types !== undefined)) headers.delete('content-type');
  if (contentType !== undefined && !headers.has('content-type')) headers.set('content-type', contentType);
  const isSecret = (template: unknown): boolean => placeholdersIn(template).some(isCredential);
  return {
    method: execution.method.toUpperCase(),
    url,
    headers,
    body,
    secretHeaders: [
      ...Object.keys(templates).filter((name) => isSecret(templates[name])),
      ...auth.headers.map(([name]) => name),
      ...(isSecret(execution.cookies) || auth.cookies.length > 0 ? ['cookie'] : []),
    ],
    hasSecretBody: isSecret(execution.body) || isSecret(execution.form) || isSecret(execution.multipart) || auth.form.length > 0,
    ...(auth.clientCertificate === undefined ? {} : { clientCertificate: auth.clientCertificate }),
    composed: auth.composed,
  };
}

/** Returns the URL without the parts that authentication adds. `isSupplied` is true for placeholders that the service fills in. */
export function requestUrl(
  { url: template, path_params: paths = {}, query_params: query = {}, auth }: HttpExecution,
  lookup: Lookup,
  isSupplied: (name: string) => boolean,
): URL {
  const url = renderUrl(template, lookup, { paths, isSupplied });
  const ofAuth = stylesOf(auth).flatMap((style) => (style.type === 'query' ? style.name : []));
  refuseFixedNames(query, lookup, isSupplied, [...ofAuth, ...url.searchParams.keys()]);
  addQuery(url, queryParts(query, lookup), hasStyled(query));
  return url;
}

/** Adds parts to the query. `isStyledQuery`: the query has separators that URLSearchParams would encode. */
function addQuery(url: URL, parts: readonly QueryPart[], isStyledQuery: boolean): void {
  if (!isStyledQuery) for (const part of parts) if ('name' in part) url.searchParams.append(part.name, part.value);
  if (!isStyledQuery || parts.length === 0) return;
  url.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...partTexts(parts)].join('&');
}

function renderHeaders(templates: NonNullable<HttpExecution['headers']>, lookup: Lookup): Headers {
  const headers = new Headers();
  for (const [name, template] of Object.entries(templates)) {
    const value =
      typeof template === 'string' ? renderText(template, lookup, { encode: requireHeaderText }) : styledHeader(name, template, lookup);
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}
