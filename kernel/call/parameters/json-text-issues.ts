import type { Parameter } from '../../definition/schema/parameter.ts';
import type { Issue } from '../../errors.ts';
import { isPlainObject } from '../../json/json.ts';
import { valueOfText } from './texts-as-values.ts';

/** True for a parameter with `json_text: false`, at any depth. */
export function refusesJsonText({ json_text, items, properties = {}, additionalProperties }: Parameter): boolean {
  const parts = [items, ...Object.values(properties), typeof additionalProperties === 'object' ? additionalProperties : undefined];
  return json_text === false || parts.some((part) => part !== undefined && refusesJsonText(part));
}

/** Finds texts with the JSON of an object or a list, in a parameter with `json_text: false`. */
export function jsonTextIssues(parameter: Parameter, value: unknown, path: string): readonly Issue[] {
  if (typeof value === 'string') {
    const meant = parameter.json_text === false ? valueOfText(value) : undefined;
    if (meant === undefined) return [];
    const kind = Array.isArray(meant) ? 'a list' : 'an object';
    return [{ path, message: `is the text of ${kind} in JSON. Give the value itself, not its text` }];
  }
  const { items, properties = {}, additionalProperties } = parameter;
  if (Array.isArray(value))
    return items === undefined ? [] : value.flatMap((item, index) => jsonTextIssues(items, item, `${path}[${index}]`));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const part = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return typeof part === 'object' ? jsonTextIssues(part, member, `${path}.${name}`) : [];
  });
}
