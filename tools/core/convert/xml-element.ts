import type { JsonValue } from '../../../kernel/index.ts';

/** How attributes and text are named among the child elements. */
export interface XmlNames {
  readonly attribute_prefix: string;
  readonly text_key: string;
}

/** An element while it is read. */
export interface XmlElement {
  readonly name: string;
  /** Where it begins, in UTF-16 code units from 0. */
  readonly at: number;
  readonly attributes: (readonly [name: string, value: string])[];
  /** By name, in the order in which the names first come. */
  readonly children: Map<string, JsonValue[]>;
  text: string;
}

/** A text when there is nothing else in the element, else an object. `refuse` is told a name that would stand for two things. */
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
