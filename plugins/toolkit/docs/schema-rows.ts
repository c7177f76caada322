import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import { limitTexts, typeText } from '../../cli/parameters/schema-text.ts';
import { resolveSchema } from '../../cli/parameters/schema-types.ts';
import { code, prose, table } from './markdown.ts';

/** Maximum depth of listed members. */
const maxDepth = 4;

interface Row {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/**
 * Returns a table of an object's members, each followed by its own members; empty without members. References (`$ref`) are not followed.
 * `notes`: additions to members of the first level.
 */
export function schemaTable(schema: JsonSchema, root: JsonSchema = schema, notes: Readonly<Record<string, string>> = {}): string {
  const rows = membersOf(schema, root, '', 0);
  if (rows.length === 0) return '';
  return table(
    ['key', 'type', 'meaning'],
    rows.map(({ path, type, text }) => [code(path), type, prose([text, notes[path] ?? ''].join(' '))]),
  );
}

function membersOf(schema: JsonSchema, root: JsonSchema, path: string, depth: number): readonly Row[] {
  if (depth >= maxDepth) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const own = Object.entries(isPlainObject(schema['properties']) ? schema['properties'] : {}).flatMap(([name, member]) =>
    isPlainObject(member) ? rowsOf(member, root, `${path}${name}`, required.includes(name), depth) : [],
  );
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []));
  const patterns = isPlainObject(schema['patternProperties']) ? schema['patternProperties'] : {};
  const parts: readonly (readonly [unknown, string])[] = [
    ...branches.map((branch): [unknown, string] => [branch, path]),
    [schema['items'], `${path.replace(/\.$/, '')}[].`],
    ...[schema['additionalProperties'], patterns['^.*$']].map((any): [unknown, string] => [any, `${path}<name>.`]),
  ];
  const inner = parts.flatMap(([part, at]) => (isPlainObject(part) && part['$ref'] === undefined ? membersOf(part, root, at, depth) : []));
  return mergeRows([...own, ...inner]);
}

function rowsOf(member: JsonSchema, root: JsonSchema, path: string, isRequired: boolean, depth: number): readonly Row[] {
  const { description } = resolveSchema(member, root);
  const limits = limitTexts(member, root).map((limit) => (limit.startsWith('matches ') ? `matches ${code(limit.slice(8))}` : limit));
  const text = [typeof description === 'string' ? description : '', ...(limits.length === 0 ? [] : [`(${limits.join('; ')})`])].join(' ');
  const type = `${typeText(member, root)}${isRequired ? ', required' : ''}`;
  return [{ path, type, text: text.trim() }, ...membersOf(member, root, `${path}.`, depth + 1)];
}

/** Merges rows of a member that several forms of an object have. */
function mergeRows(rows: readonly Row[]): readonly Row[] {
  const byPath = new Map<string, Row>();
  for (const row of rows) {
    const before = byPath.get(row.path);
    if (before === undefined) byPath.set(row.path, row);
    else if (!before.text.includes(row.text)) byPath.set(row.path, { ...before, text: `${before.text} ${row.text}`.trim() });
  }
  return [...byPath.values()];
}
