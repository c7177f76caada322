import { ToolkitError } from '../../errors.ts';
import { isPlainObject } from '../../json/json.ts';
import { unmarked, writeMarked } from '../../json/write-json.ts';

/**
 * Matches placeholders: `{NAME}` with letters, digits and `_`, and `{{NAME}}` for a literal `{NAME}`. Other braces are literal, so JSON and GraphQL
 * need no escaping.
 */
const token = /\{\{(\w+)\}\}|\{(\w+)\}/g;

export type Part = string | { readonly name: string };

/** Returns the literal texts and placeholders of a template, in order. */
export function parseTemplate(text: string): readonly Part[] {
  const parts: Part[] = [];
  let literal = '';
  let end = 0;
  for (const match of text.matchAll(token)) {
    literal += text.slice(end, match.index);
    end = match.index + match[0].length;
    if (match[2] === undefined) {
      literal += `{${match[1]}}`;
      continue;
    }
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push({ name: match[2] });
  }
  literal += text.slice(end);
  if (literal !== '') parts.push(literal);
  return parts;
}

/** Returns the placeholder names in all strings and keys of a value, without duplicates, in order. */
export function placeholdersIn(value: unknown): string[] {
  return namesIn(value, (text) => parseTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : [part.name])));
}

/** Returns the names of `{NAME?}`. Other languages use it for optional values; here it is literal text. */
export function questionedIn(value: unknown): string[] {
  return namesIn(value, (text) => (text.includes('?}') ? [...text.matchAll(/(?<!\{)\{(\w+)\?\}/g)].map(([, name = '']) => name) : []));
}

function namesIn(value: unknown, namesOf: (text: string) => readonly string[]): string[] {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node === 'string') for (const name of namesOf(node)) names.add(name);
    else if (Array.isArray(node)) node.forEach(visit);
    else if (isPlainObject(node)) for (const [key, member] of Object.entries(node)) [key, member].forEach(visit);
  };
  visit(value);
  return [...names];
}

/** Returns the value of a placeholder; undefined without one. */
export type Lookup = (name: string) => unknown;

export interface RenderOptions {
  /** Encodes a value as text inside a longer string. @default strings unchanged, other values as JSON */
  readonly encode?: (text: string, name: string) => string;
}

/** Renders a string template. Returns undefined when one of its placeholders has no value. */
export function renderText(template: string, lookup: Lookup, options: RenderOptions = {}): string | undefined {
  let text = '';
  for (const part of parseTemplate(template)) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = lookup(part.name);
    if (value === undefined) return undefined;
    text += options.encode?.(asText(value), part.name) ?? asText(value);
  }
  return text;
}

/**
 * Fills in the placeholders of a value. A string of one placeholder becomes the value itself, with its type; inside a longer string it becomes text.
 * A member or item whose placeholder has no value is left out.
 */
export function renderValue(template: unknown, lookup: Lookup, options: RenderOptions = {}): unknown {
  if (typeof template === 'string') {
    const parts = parseTemplate(template);
    const [only] = parts;
    if (parts.length === 1 && only !== undefined && typeof only !== 'string') return lookup(only.name);
    return renderText(template, lookup, options);
  }
  if (Array.isArray(template)) return template.map((item) => renderValue(item, lookup, options)).filter((item) => item !== undefined);
  if (isPlainObject(template)) {
    const entries = Object.entries(template)
      .map(([key, member]) => [renderText(key, lookup, options), renderValue(member, lookup, options)] as const)
      .filter((entry): entry is readonly [string, unknown] => entry[0] !== undefined && entry[1] !== undefined);
    return Object.fromEntries(entries);
  }
  return template;
}

/** Returns a string unchanged, and another value as JSON, with numbers for digits marked by `markIntegers`. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? unmarked(value) : (writeMarked(value) as string);
}

/** Throws INVALID_PARAMETERS for a value that does not fit its placeholder. */
export function refuseValue(name: string, expected: string): never {
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "${name}" cannot be used here: expected ${expected}.`, {
    issues: [{ path: name, message: `expected ${expected}` }],
  });
}
