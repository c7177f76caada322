import { ToolkitError } from '../errors.ts';
import { isPlainObject } from '../schema/json.ts';
import { unmarked, writeMarked } from '../schema/write-json.ts';

/**
 * Placeholders are `{NAME}`, a name of letters, digits and `_`. `{{NAME}}` writes a literal `{NAME}`; every other brace stands for
 * itself, so that JSON and GraphQL texts need no escaping.
 */
const token = /\{\{(\w+)\}\}|\{(\w+)\}/g;

export type Part = string | { readonly name: string };

/** The literal texts and placeholders of a template, in order. */
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

/** The placeholder names in every string of a value (keys of objects included), each once, in order of appearance. */
export function placeholdersIn(value: unknown): string[] {
  return namesIn(value, (text) => parseTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : [part.name])));
}

/** The same of `{NAME?}`, which other languages have for what may be left out, and which is a literal text here. */
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

/** The value of a placeholder, undefined when it was not given. */
export type Lookup = (name: string) => unknown;

export interface RenderOptions {
  /** How a value becomes text inside a longer string. Default: strings as they are, everything else as JSON. */
  readonly encode?: (text: string, name: string) => string;
}

/** A string template as text. Undefined when one of its placeholders was not given. */
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
 * A value with its placeholders filled in. A string that is one placeholder and nothing else becomes the value itself, of its own
 * type; inside a longer string it is text. An entry of an object or array whose placeholder was not given is left out.
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

/** A value as text: a string as it is, everything else as JSON, with numbers for what `markIntegers` has marked. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? unmarked(value) : (writeMarked(value) as string);
}

/** Throws INVALID_PARAMETERS for a value that cannot stand where it was put. */
export function refuseValue(name: string, expected: string): never {
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "${name}" cannot be used here: expected ${expected}.`, {
    issues: [{ path: name, message: `expected ${expected}` }],
  });
}
