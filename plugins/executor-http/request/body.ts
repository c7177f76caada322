import {
  asText,
  type Lookup,
  parseTemplate,
  placeholdersIn,
  refuseValue,
  renderText,
  renderValue,
  writeMarked,
} from '../../../kernel/index.ts';
import type { HttpExecution } from '../definition/execution.ts';
import { acceptsValues, isForm, isJsonType, jsonKind, renderJsonText } from './body-type.ts';
import { pairsOf } from './pairs.ts';
import { hasStyled, partTexts, queryParts } from './styles/query-parts.ts';

interface RenderedBody {
  readonly body: string | undefined;
  /** The media type of the body, where no header gives one. */
  readonly contentType?: string;
}

const formType = 'application/x-www-form-urlencoded';

/** Renders `form` or `body`. `declaredType` is the Content-Type header of the definition; `fields` are added to those of `form`. */
export function renderBody(
  { body, form }: HttpExecution,
  declaredType: string | undefined,
  lookup: Lookup,
  fields: readonly (readonly [string, string])[] = [],
): RenderedBody {
  if (form !== undefined || fields.length > 0) {
    return { body: renderForm(form, lookup, fields), contentType: formType };
  }
  if (body === undefined) return { body: undefined };
  if (typeof body === 'string') return renderTextBody(body, declaredType, lookup);
  const value = renderValue(body, lookup);
  if (isForm(declaredType)) return { body: formText(value) };
  return { body: writeMarked(value), contentType: 'application/json' };
}

function renderForm(form: HttpExecution['form'], lookup: Lookup, fields: readonly (readonly [string, string])[]): string {
  if (hasStyled(form)) return partTexts([...queryParts(form ?? {}, lookup), ...fields.map(([name, value]) => ({ name, value }))]).join('&');
  const pairs = [...pairsOf(renderValue(form, lookup)), ...fields.map(([name, value]): [string, string] => [name, value])];
  return new URLSearchParams(pairs).toString();
}

/**
 * True where `body_optional` leaves the body out: it has placeholders that callers fill in, and none has a value. `fields`: those
 * that the authentication adds to `form`.
 */
export function isBodyAbsent(
  { body, form, multipart, body_file: file, body_optional: isOptional }: HttpExecution,
  lookup: Lookup,
  isCredential: (name: string) => boolean,
  fields: readonly unknown[],
): boolean {
  if (isOptional !== true || fields.length > 0) return false;
  const names = placeholdersIn([body, form, multipart, file]).filter((name) => !isCredential(name));
  return names.length > 0 && names.every((name) => lookup(name) === undefined);
}

function formText(value: unknown): string {
  return new URLSearchParams(pairsOf(value)).toString();
}

/**
 * Renders a text body. A body that is one placeholder is the value as it is; inside a longer text, values are escaped for its
 * content type.
 */
function renderTextBody(template: string, declaredType: string | undefined, lookup: Lookup): RenderedBody {
  const parts = parseTemplate(template);
  if (parts.length === 1 && typeof parts[0] === 'object') {
    const value = renderValue(template, lookup);
    if (value === undefined) return { body: undefined };
    if (typeof value === 'string') return { body: asText(value), contentType: 'text/plain; charset=utf-8' };
    if (isForm(declaredType)) return { body: formText(value) };
    if (!acceptsValues(declaredType)) return refuseValue(parts[0].name, `a text, because the request is declared as ${declaredType}`);
    return { body: writeMarked(value), contentType: 'application/json' };
  }
  const isJson = declaredType === undefined ? jsonKind(template) === 'object or list' : isJsonType(declaredType);
  const body = isJson ? renderJsonText(template, lookup) : renderText(template, lookup, encodingFor(declaredType));
  if (body === undefined) return { body };
  return { body, contentType: isJson ? 'application/json' : 'text/plain; charset=utf-8' };
}

function encodingFor(declaredType: string | undefined): { encode?: (text: string) => string } {
  if (isForm(declaredType)) return { encode: (text) => encodeURIComponent(text.toWellFormed()) };
  return declaredType !== undefined && /[/+]xml\b|text\/html/i.test(declaredType) ? { encode: markupText } : {};
}

function markupText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
