import { describeValue, isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import { usablePattern } from '../../shared/schemas/usable-pattern.ts';
import type { Note } from './value-keywords.ts';

type Mutable = Record<string, unknown>;
type Raw = Readonly<Record<string, unknown>>;

/** Converts the part of a schema at these segments below it. */
export type Inner = (value: unknown, ...segments: readonly (string | number)[]) => JsonSchema | boolean;

/** Maximum UTF-16 units of an example that is kept. */
const maxExample = 200;

/** True for a schema that also accepts null: `nullable` of 3.0, `x-nullable` in documents of 2.0. */
export function isNullable(raw: Raw): boolean {
  return raw['nullable'] === true || raw['nullable'] === 'true' || raw['x-nullable'] === true;
}

/** Sets description, default, deprecation and a short example. A title only stands in for a description. */
export function setAnnotations(raw: Raw, out: Mutable): void {
  const { description, title, default: byDefault, deprecated, example, examples } = raw;
  if (typeof description === 'string' && description !== '') out['description'] = description;
  else if (typeof title === 'string' && title !== '') out['title'] = title;
  if (byDefault !== undefined) out['default'] = byDefault;
  if (deprecated === true) out['deprecated'] = true;
  const shown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  if ((typeof shown === 'string' && shown.length <= maxExample) || typeof shown === 'number') out['examples'] = [shown];
}

/** Returns the members of an object as entries. Some documents have a list of schemas with names in place of the map. */
export function membersOf(given: unknown, note: Note): readonly [string, unknown][] {
  if (isPlainObject(given)) return Object.entries(given).filter(([name]) => name !== '__proto__');
  const entries = (Array.isArray(given) ? given : []).map((member): [unknown, unknown] => [
    isPlainObject(member) ? member['name'] : undefined,
    member,
  ]);
  if (entries.length > 0 && entries.every(([name]) => typeof name === 'string')) {
    note('its "properties" are a list, and were read by the names in it');
    return (entries as [string, unknown][]).filter(([name]) => name !== '__proto__');
  }
  note(`its "properties" are ${describeValue(given)}, and are left out`);
  return [];
}

/** Sets the required members, without `hidden` ones. */
export function setRequired(given: unknown, hidden: ReadonlySet<string>, out: Mutable, note: Note): void {
  if (given === undefined || given === null || given === false) return;
  if (!Array.isArray(given)) {
    note(`"required" is ${describeValue(given)} in place of a list of names, and is left out`);
    return;
  }
  const { properties, additionalProperties: extra, patternProperties } = out;
  const isRefused = (name: string): boolean =>
    extra === false && patternProperties === undefined && !(isPlainObject(properties) && Object.hasOwn(properties, name));
  const names = [...new Set(given)].filter((name): name is string => typeof name === 'string' && !hidden.has(name));
  const required = names.filter((name) => !isRefused(name));
  if (required.length < names.length) note('it requires members that it does not allow: they are not required');
  if (required.length > 0) out['required'] = required;
}

/** Sets the parts of an object beside its members. */
export function setOtherMembers(raw: Raw, inner: Inner, out: Mutable, note: Note): void {
  const { patternProperties: patterns, propertyNames, dependentSchemas, dependentRequired } = raw;
  if (isPlainObject(patterns)) {
    const usable = Object.entries(patterns).flatMap(([given, part]): [string, unknown][] => {
      const { pattern, reason } = usablePattern(given);
      if (reason !== undefined) note(reason);
      return pattern === undefined ? [] : [[pattern, inner(part, 'patternProperties', given)]];
    });
    // Members of a pattern that is left out are members of any name.
    if (usable.length === Object.keys(patterns).length) out['patternProperties'] = Object.fromEntries(usable);
    else delete out['additionalProperties'];
  }
  if (isPlainObject(propertyNames)) out['propertyNames'] = inner(propertyNames, 'propertyNames');
  if (isPlainObject(dependentSchemas))
    out['dependentSchemas'] = Object.fromEntries(
      Object.entries(dependentSchemas).map(([name, part]) => [name, inner(part, 'dependentSchemas', name)]),
    );
  if (
    isPlainObject(dependentRequired) &&
    Object.values(dependentRequired).every((names) => Array.isArray(names) && names.every((name) => typeof name === 'string'))
  )
    out['dependentRequired'] = dependentRequired;
}

/** Sets `additionalProperties` and `unevaluatedProperties`. Without them an object is open. */
export function setExtraMembers(raw: Raw, inner: Inner, out: Mutable, note: Note): void {
  for (const key of ['additionalProperties', 'unevaluatedProperties']) {
    const given = raw[key];
    const value = given === 'false' ? false : given;
    if (value === false || isPlainObject(value)) out[key] = inner(value, key);
    else if (!['undefined', 'boolean'].includes(typeof value) && value !== 'true' && value !== null)
      note(`"${key}" is ${describeValue(given)}, and is left out`);
  }
}

/** Sets the items of a list. A list of schemas, as in older drafts, describes the items together. */
export function setItems(raw: Raw, inner: Inner, out: Mutable): void {
  const { items, prefixItems, contains, unevaluatedItems } = raw;
  if (Array.isArray(items)) {
    const parts = items.map((item, index) => inner(item, 'items', index));
    if (parts.length > 0) out['items'] = parts.length === 1 ? parts[0] : { anyOf: parts };
  } else if (isPlainObject(items) || items === false) out['items'] = inner(items, 'items');
  if (Array.isArray(prefixItems) && prefixItems.length > 0)
    out['prefixItems'] = prefixItems.map((item, index) => inner(item, 'prefixItems', index));
  if (isPlainObject(contains)) out['contains'] = inner(contains, 'contains');
  if (isPlainObject(unevaluatedItems) || unevaluatedItems === false) out['unevaluatedItems'] = inner(unevaluatedItems, 'unevaluatedItems');
}

/** Adds null to the values that a converted schema accepts. */
export function withNull(schema: Mutable): Mutable {
  const { type, enum: values, const: constant, anyOf, allOf, $ref, not, if: condition, ...others } = schema;
  if ([anyOf, allOf, $ref, not, condition].every((part) => part === undefined) && constant === undefined) {
    const types = [type].flat() as readonly string[];
    return {
      ...schema,
      ...(type === undefined || types.includes('null') ? {} : { type: [...types, 'null'] }),
      ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
    };
  }
  if (Array.isArray(anyOf) && Object.keys(schema).every((key) => key === 'anyOf' || key in annotationKeys))
    return {
      ...schema,
      anyOf: anyOf.some((part) => isPlainObject(part) && part['type'] === 'null') ? anyOf : [...anyOf, { type: 'null' }],
    };
  const beside = Object.fromEntries(Object.entries(others).filter(([key]) => key in annotationKeys));
  const checking = Object.fromEntries(Object.entries(schema).filter(([key]) => !(key in annotationKeys)));
  return { ...beside, anyOf: [checking, { type: 'null' }] };
}

const annotationKeys = { title: true, description: true, default: true, examples: true, deprecated: true };
