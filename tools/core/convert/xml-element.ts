import type { JsonValue } from '../../../kernel/index.ts';

/** Prefix of attribute names and name of the text among the child elements. */
export interface XmlNames {
  readonly attribute_prefix: string;
  readonly text_key: string;
}

/** An element whose end was not read yet. */
export interface XmlElement {
  readonly name: string;
  /** Offset of its start, in UTF-16 code units from 0. */
  readonly at: number;
  readonly attributes: (readonly [name: string, value: string])[];
  /** Child values by name, in the order in which the names first appear. */
  readonly children: Map<string, JsonValue[]>;
  text: string;
}

/** Returns a text when the element holds nothing else, or an object. Calls `refuse` with a name that stands for two members. */
export function elementValue({ attributes, children, text }: XmlElement, names: XmlNames, refuse: (name: string) => never): JsonValue {
  if (attributes.length === 0 && children.size === 0) return text;
  // White space between child elements is layout.
  const hasText = children.size === 0 ? text !== '' : /\S/.test(text);
  const members: (readonly [string, JsonValue])[] = [
    ...attributes.map(([name, value]) => [names.attribute_prefix + name, value] as const),
    ...(hasText ? [[names.text_key, text] as const] : []),
    ...[...children].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? null) : values] as const),
  ];
  const byName = new Map(members);
  if (byName.size < members.length) refuse(members.map(([name]) => name).find((name, index, all) => all.indexOf(name) !== index) ?? '');
  return Object.fromEntries(byName);
}
