import { asText, isPlainObject, type Lookup, refuseValue, renderText, renderValue } from '../../kernel/index.ts';
import type { HttpExecution } from './execution.ts';
import { renderUrl } from './url.ts';

export interface RenderedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** Fills every placeholder of an http execution in. */
export function renderRequest(execution: HttpExecution, lookup: Lookup): RenderedRequest {
  const url = renderUrl(execution.url, lookup);
  for (const [name, value] of pairsOf(execution.query_params, lookup)) url.searchParams.append(name, value);
  const headers = renderHeaders(execution.headers ?? {}, lookup);
  const { body, contentType } = renderBody(execution, headers.get('content-type') ?? undefined, lookup);
  if (contentType !== undefined && !headers.has('content-type')) headers.set('content-type', contentType);
  return { method: execution.method.toUpperCase(), url, headers, body };
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

function renderBody(
  execution: HttpExecution,
  declaredType: string | undefined,
  lookup: Lookup,
): { body: string | undefined; contentType?: string } {
  const { body, form } = execution;
  if (form !== undefined)
    return { body: new URLSearchParams(pairsOf(form, lookup)).toString(), contentType: 'application/x-www-form-urlencoded' };
  if (body === undefined) return { body: undefined };
  if (typeof body === 'string') return renderTextBody(body, declaredType, lookup);
  const value = renderValue(body, lookup);
  if (isForm(declaredType)) return { body: new URLSearchParams(pairsOf(value, lookup)).toString() };
  return { body: JSON.stringify(value), contentType: 'application/json' };
}

function renderTextBody(
  template: string,
  declaredType: string | undefined,
  lookup: Lookup,
): { body: string | undefined; contentType?: string } {
  const isJson =
    declaredType === undefined ? /^\s*[{[]/.test(template) && !/^\s*\{\w+\}\s*$/.test(template) : /[/+]json\b/i.test(declaredType);
  const whole = renderValue(template, lookup);
  if (typeof whole !== 'string' && whole !== undefined) return { body: JSON.stringify(whole), contentType: 'application/json' };
  const encode = isJson ? jsonText : isForm(declaredType) ? encodeURIComponent : undefined;
  const isOnePlaceholder = /^\{\w+\}$/.test(template);
  const body = renderText(template, lookup, encode === undefined || isOnePlaceholder ? {} : { encode });
  return { body, contentType: isJson ? 'application/json' : 'text/plain; charset=utf-8' };
}

/** So that a value cannot end the JSON string it stands in. */
function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function isForm(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/x-www-form-urlencoded\b/i.test(contentType);
}

/** Entries of a rendered object as text pairs: a list becomes a repeated name, an object its JSON. */
function pairsOf(template: unknown, lookup: Lookup): [string, string][] {
  const value = renderValue(template ?? {}, lookup);
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    [member]
      .flat()
      .filter((item) => item !== null)
      .map((item): [string, string] => [name, asText(item)]),
  );
}
