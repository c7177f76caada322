import { isPlainObject } from '../json/json.ts';
import { subschemaKeywords } from './subschema-keywords.ts';

const { single, lists, named, definitions } = subschemaKeywords;

type Node = Readonly<Record<string, unknown>>;

/** Applies `change` to every node of a schema, from the leaves to the root. Returns the same schema if nothing changes. */
export function mapSchema(schema: Node, change: (node: Node) => Node): Node {
  return change(withChildren(schema, (child) => mapSchema(child, change)));
}

function withChildren(node: Node, map: (child: Node) => Node): Node {
  let copy: Record<string, unknown> | undefined;
  const put = (key: string, made: unknown): void => {
    copy ??= { ...node };
    copy[key] = made;
  };
  for (const [key, value] of Object.entries(node)) {
    if (isPlainObject(value) && single.has(key)) {
      const made = map(value);
      if (made !== value) put(key, made);
    } else if (Array.isArray(value) && lists.has(key)) {
      const made = value.map((item: unknown) => (isPlainObject(item) ? map(item) : item));
      if (made.some((item, index) => item !== value[index])) put(key, made);
    } else if (isPlainObject(value) && (named.has(key) || definitions.has(key))) {
      const made = Object.entries(value).map(([name, item]) => [name, isPlainObject(item) ? map(item) : item] as const);
      if (made.some(([name, item]) => item !== value[name])) put(key, Object.fromEntries(made));
    }
  }
  return copy ?? node;
}
