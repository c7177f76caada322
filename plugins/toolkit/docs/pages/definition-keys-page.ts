import { isPlainObject, type JsonSchema } from '../../../../kernel/index.ts';
import { code, page, prose } from '../markdown.ts';
import type { PublishedSchemas } from '../published-schemas.ts';
import { schemaTable } from '../schema-rows.ts';

/** Returns the page of the keys in definition files. */
export function definitionKeysPage({ tool, provider }: PublishedSchemas): string {
  const { execution, ...keys } = memberOf(tool, 'properties');
  const { parameters, ...others } = keys;
  const named = { ...others, parameters: { type: 'object', description: descriptionOf(parameters) } };
  return page(
    '# Keys of definitions',
    'A file with `execution` defines a tool, a file with `provider` a provider. Keys that begin with `x-` are yours. Any other unknown key is a warning, or an error when it is close to a key on this page. ' +
      'Editors complete these keys with the schemas in `dist/schemas` (`tool.schema.json`, `provider.schema.json`).',
    '## Tools',
    schemaTable({ ...tool, properties: named }, tool, notesOf(tool, typesOf(execution))),
    '## `parameters` of a tool',
    'Each parameter is a member with the name of the parameter.',
    schemaTable(memberOf(memberOf(tool, 'definitions'), 'Parameter'), tool),
    '## `execution` of a tool',
    schemaTable({ ...asSchema(execution), allOf: [] }, tool),
    ...typesOf(execution).map((type) => {
      const schema = schemaOfType(execution, type);
      return page(`### ${code(type)}`, prose(descriptionOf(schema)), schemaTable(schema, tool));
    }),
    '## Providers',
    schemaTable(provider),
  );
}

function typesOf(execution: unknown): readonly string[] {
  return memberOf(memberOf(asSchema(execution), 'properties'), 'type')['enum'] as readonly string[];
}

/** Returns the schema of `execution` with this type. */
function schemaOfType(execution: unknown, type: string): JsonSchema {
  const forms = asSchema(execution)['allOf'] as readonly JsonSchema[];
  const form = forms.find((one) => (memberOf(memberOf(memberOf(one, 'if'), 'properties'), 'type')['enum'] as string[]).includes(type));
  return memberOf(form ?? {}, 'then');
}

/** Returns notes for keys that only tools of some execution types may have, naming these types. */
function notesOf(tool: JsonSchema, types: readonly string[]): Readonly<Record<string, string>> {
  const conditions = (Array.isArray(tool['allOf']) ? tool['allOf'] : []) as readonly JsonSchema[];
  return Object.fromEntries(
    conditions.flatMap((condition) => {
      const of = memberOf(memberOf(memberOf(memberOf(condition, 'if'), 'properties'), 'execution'), 'properties');
      const refused = memberOf(of, 'type')['enum'] as readonly string[];
      const allowedTypes = types.filter((type) => !refused.includes(type)).map(code);
      return Object.entries(memberOf(memberOf(condition, 'then'), 'properties'))
        .filter(([, schema]) => (schema as unknown) === false)
        .map(([key]) => [key, `Only where \`execution.type\` is ${allowedTypes.join(' or ')}.`]);
    }),
  );
}

function memberOf(value: JsonSchema, key: string): JsonSchema {
  return asSchema(value[key]);
}

function asSchema(value: unknown): JsonSchema {
  return isPlainObject(value) ? value : {};
}

function descriptionOf(schema: unknown): string {
  const { description } = asSchema(schema);
  return typeof description === 'string' ? description : '';
}
