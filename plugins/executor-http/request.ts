import { type Lookup, placeholdersIn, refuseValue, renderText, renderValue } from '../../kernel/index.ts';
import { pairsOf, renderBody } from './body.ts';
import type { HttpExecution } from './execution.ts';
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
}

/** Fills every placeholder of an http execution in. `isCredential` says which placeholder names stand for secrets. */
export function renderRequest(execution: HttpExecution, lookup: Lookup, isCredential: (name: string) => boolean): RenderedRequest {
  const url = renderUrl(execution.url, lookup);
  for (const [name, value] of pairsOf(renderValue(execution.query_params, lookup))) url.searchParams.append(name, value);
  const templates = execution.headers ?? {};
  const headers = renderHeaders(templates, lookup);
  const { body, contentType } = renderBody(execution, headers.get('content-type') ?? undefined, lookup);
  if (contentType !== undefined && !headers.has('content-type')) headers.set('content-type', contentType);
  const isSecret = (template: unknown): boolean => placeholdersIn(template).some(isCredential);
  return {
    method: execution.method.toUpperCase(),
    url,
    headers,
    body,
    secretHeaders: Object.keys(templates).filter((name) => isSecret(templates[name])),
    hasSecretBody: isSecret(execution.body) || isSecret(execution.form),
  };
}

function renderHeaders(templates: Readonly<Record<string, string>>, lookup: Lookup): Headers {
  const headers = new Headers();
  for (const [name, template] of Object.entries(templates)) {
    const value = renderText(template, lookup, { encode: headerText });
    if (value !== undefined) headers.set(name, value);
  }
  return headers;
}

/** A line break would begin another header (RFC 9110, 5.5). */
function headerText(text: string, name: string): string {
  if (/[\r\n\0]/.test(text)) return refuseValue(name, 'a value without line breaks, because it is part of a header');
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) return refuseValue(name, 'characters of ISO 8859-1 only, because it is part of a header');
  return text;
}
