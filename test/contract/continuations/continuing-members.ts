import { isPlainObject } from '../../../kernel/index.ts';

/** Names of members by which an output says that there is more, or where it goes on. */
const saysMore = /^(.*truncated|next|next_.*|next[A-Z].*|.*cursor|.*Cursor|has_?[mM]ore|more|continu.*|paging)$/;

/** The members of an output schema by which an output says that there is more, as pointers with `*` for items. */
export function continuingMembers(schema: unknown, root: unknown = schema, at = '', seen: readonly unknown[] = []): readonly string[] {
  if (!isPlainObject(schema) || seen.includes(schema)) return [];
  const inside = [...seen, schema];
  const { $ref, properties, items, oneOf, anyOf, allOf } = schema;
  const branches = [oneOf, anyOf, allOf].flatMap((all) => (Array.isArray(all) ? all : []));
  const referred = typeof $ref === 'string' ? [refersTo(root, $ref)] : [];
  return [
    ...new Set([
      ...Object.entries(isPlainObject(properties) ? properties : {}).flatMap(([name, member]) => [
        ...(saysMore.test(name) ? [`${at}/${name}`] : []),
        ...continuingMembers(member, root, `${at}/${name}`, inside),
      ]),
      ...continuingMembers(items, root, `${at}/*`, inside),
      ...[...branches, ...referred].flatMap((branch) => continuingMembers(branch, root, at, inside)),
    ]),
  ];
}

function refersTo(root: unknown, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((value, segment) => (isPlainObject(value) ? value[segment] : undefined), root);
}
