import type { Field, FieldValue, ListField, ObjectField } from './field.ts';
import { jsonProblem, parseExactly } from './parameters-text.ts';
import { isObject } from './schema-node.ts';
import { readNumber, textIssue } from './text-issue.ts';

/** The parameters of a form. With issues they are a draft: what cannot be read stands in them as the text that was typed. */
export interface FormParameters {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Sentences by the path of their field, such as `/items/0/name`. Empty when the tool may be called. */
  readonly issues: ReadonlyMap<string, string>;
}

/** Returns the parameters that were typed into a form. */
export function valuesToParameters(field: Field, value: FieldValue): FormParameters {
  const issues = new Map<string, string>();
  const parameters = read(field, value, '', issues) ?? {};
  if (isObject(parameters)) return { parameters, issues };
  if (issues.size === 0) issues.set('', 'The parameters must be one object.');
  return { parameters: {}, issues };
}

/** Returns the path of a member or an item. */
export function pathOf(path: string, step: string | number): string {
  return `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns the value of a field, undefined where nothing is sent, and adds its issues. */
export function read(field: Field, value: FieldValue, path: string, issues: Map<string, string>): unknown {
  const add = (issue: string | undefined): void => {
    if (issue !== undefined && !issues.has(path)) issues.set(path, issue);
  };
  if (value.kind === 'unset') {
    if (field.isRequired) add('A value is required.');
    return undefined;
  }
  if (value.kind === 'null') return null;
  if (value.kind === 'json') return readJsonText(field, value.text, add);
  if (field.kind === 'text' && value.kind === 'text') {
    add(textIssue(field, value.text));
    return value.text;
  }
  if (field.kind === 'number' && value.kind === 'text') {
    const number = readNumber(field, value.text);
    if ('value' in number) return number.value;
    add(number.issue);
    return value.text;
  }
  if (field.kind === 'option' && value.kind === 'option') return field.options[value.index]?.value;
  if (field.kind === 'list' && value.kind === 'list') {
    const items = value.items.map((item, index) => read(field.item, item, pathOf(path, index), issues) ?? null);
    add(listIssue(field, items));
    return items;
  }
  if (field.kind === 'object' && value.kind === 'object') return readObject(field, value, path, issues);
  if (field.kind === 'choice' && value.kind === 'choice') {
    const choice = field.choices[value.index];
    return choice && read(choice.field, value.value, path, issues);
  }
  return undefined;
}

function readObject(
  field: ObjectField,
  value: Extract<FieldValue, { kind: 'object' }>,
  path: string,
  issues: Map<string, string>,
): Readonly<Record<string, unknown>> {
  const members: [string, unknown][] = [];
  for (const member of field.members) {
    const content = read(member, value.members.get(member.name) ?? { kind: 'unset' }, pathOf(path, member.name), issues);
    if (content !== undefined) members.push([member.name, content]);
  }
  if (value.others.trim() === '') return Object.fromEntries(members);
  const others = parsed(value.others);
  const known = new Set(field.members.map(({ name }) => name));
  if ('problem' in others) issues.set(othersPath(path), others.problem);
  else if (!isObject(others.value)) issues.set(othersPath(path), 'Expected an object of further members, such as {"name": "value"}.');
  else {
    const twice = Object.keys(others.value).filter((name) => known.has(name));
    if (twice.length > 0) issues.set(othersPath(path), `These have fields of their own: ${twice.join(', ')}.`);
    members.push(...Object.entries(others.value).filter(([name]) => !known.has(name)));
  }
  return Object.fromEntries(members);
}

/** Returns the path of the further members of an object. It is that of no member: in those a tilde has a digit after it. */
export function othersPath(path: string): string {
  return `${path}~`;
}

function readJsonText(field: Field, text: string, add: (issue: string | undefined) => void): unknown {
  if (text.trim() === '') {
    if (field.isRequired) add('A value is required.');
    return undefined;
  }
  const result = parsed(text);
  if ('problem' in result) {
    add(result.problem);
    return text;
  }
  add(typeIssue(field, result.value));
  return result.value;
}

function parsed(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: parseExactly(text) };
  } catch (error) {
    return { problem: jsonProblem(error, text) };
  }
}

const expected: Readonly<Record<Exclude<Field['kind'], 'json'>, string>> = {
  text: 'a text in quotation marks',
  number: 'a number',
  option: 'one of the values of the list',
  list: 'a list such as [1, 2]',
  object: 'an object such as {"name": "value"}',
  choice: 'a value of one of the forms',
};

function typeIssue(field: Field, value: unknown): string | undefined {
  if (value === null && field.isNullable) return undefined;
  if (field.kind !== 'json') return `Expected ${expected[field.kind]}. Choose "use the field" to type it again.`;
  const { types } = field;
  const fits = types.length === 0 || types.some((type) => isOfType(value, type));
  return fits ? undefined : `Expected JSON of the type ${types.join(' or ')}.`;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function listIssue(
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY, isUnique }: ListField,
  items: readonly unknown[],
): string | undefined {
  if (items.length < minItems) return `Expected at least ${minItems} of them, received ${items.length}.`;
  if (items.length > maxItems) return `Expected at most ${maxItems} of them, received ${items.length}.`;
  const texts = items.map((item) => JSON.stringify(item));
  const twice = isUnique ? texts.find((text, index) => texts.indexOf(text) !== index) : undefined;
  return twice === undefined ? undefined : `Expected different ones, but ${twice.slice(0, 100)} is there twice.`;
}
