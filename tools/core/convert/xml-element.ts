import { XmlElement, XmlText } from '@rgrove/parse-xml';
import type { JsonValue } from '../../../kernel/index.ts';

/** Prefix of attribute names and name of the text among the child elements. */
export interface XmlNames {
  readonly attribute_prefix: string;
  readonly text_key: string;
}

/** Called with a name that stands for two members, and the offset of the element. */
type Refuse = (name: string, at: number) => never;

/** Returns a text when the element holds nothing else, or an object. */
export function elementValue(element: XmlElement, names: XmlNames, refuse: Refuse): JsonValue {
  const attributes = Object.entries(element.attributes);
  const text = element.children.map((child) => (child instanceof XmlText ? child.text : '')).join('');
  const children = childValues(element, names, refuse);
  if (attributes.length === 0 && children.size === 0) return text;
  // White space between child elements is layout.
  const hasText = children.size === 0 ? text !== '' : /\S/.test(text);
  const members: (readonly [string, JsonValue])[] = [
    ...attributes.map(([name, value]) => [names.attribute_prefix + name, value] as const),
    ...(hasText ? [[names.text_key, text] as const] : []),
    ...[...children].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? null) : values] as const),
  ];
  const byName = new Map(members);
  if (byName.size < members.length)
    refuse(members.map(([name]) => name).find((name, index, all) => all.indexOf(name) !== index) ?? '', element.start);
  return Object.fromEntries(byName);
}

/** Returns the values of child elements by name, in the order in which the names first appear. */
function childValues(element: XmlElement, names: XmlNames, refuse: Refuse): ReadonlyMap<string, JsonValue[]> {
  const values = new Map<string, JsonValue[]>();
  for (const child of element.children) {
    if (!(child instanceof XmlElement)) continue;
    const value = elementValue(child, names, refuse);
    const others = values.get(child.name);
    if (others === undefined) values.set(child.name, [value]);
    else others.push(value);
  }
  return values;
}
