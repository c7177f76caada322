import { isPlainObject, type JsonSchema } from '../../json/json.ts';
import { referenceTarget } from '../../schema/numeric-path.ts';
import type { Parameter } from './parameter.ts';

/** Returns the parameters as JSON Schema 2020-12, without `hidden` names (credentials) and fixed values. Unknown keys are refused. */
export function inputSchemaOf(parameters: Readonly<Record<string, Parameter>>, hidden: ReadonlySet<string>): JsonSchema {
  const shown = Object.entries(parameters).filter(([name, { fixed }]) => !hidden.has(name) && fixed !== true);
  return objectSchema(shown, false);
}

function objectSchema(entries: readonly (readonly [string, Parameter])[], additionalProperties: unknown): JsonSchema {
  const required = entries.filter(([, parameter]) => parameter.required === true).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, parameter]) => [name, schemaOf(parameter)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties,
  };
}

function schemaOf(parameter: Parameter): JsonSchema {
  const {
    required: _r,
    auth: _a,
    path: _p,
    from: _from,
    streamed: _s,
    tables: _t,
    reads: _reads,
    follow: _f,
    or_url: _u,
    binds: _b,
    control_files: _c,
    fixed: _x,
    default_from: _d,
    names_secret: _n,
    options: _o,
    json_text: _j,
    example,
    properties,
    items,
    additionalProperties,
    ...rest
  } = parameter;
  const own = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('x-')));
  const extra = typeof additionalProperties === 'object' ? schemaOf(additionalProperties) : additionalProperties;
  return {
    ...own,
    ...(properties === undefined
      ? extra === undefined
        ? {}
        : { additionalProperties: extra }
      : objectSchema(Object.entries(properties), extra ?? false)),
    ...(items === undefined ? {} : { items: schemaOf(items) }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** Returns the parameters of a JSON Schema, with their names, types and defaults only. A type or a description may stand behind a `$ref`. */
export function parametersOf(schema: JsonSchema): Record<string, Parameter> {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.fromEntries(
    Object.entries(membersOf(schema)).map(([name, member]) => {
      const { default: byDefault, auth } = isPlainObject(member) ? (member as Parameter) : {};
      const { type, description } = propertyOf(schema, name);
      return [
        name,
        {
          ...(type === undefined ? {} : { type }),
          ...(description === undefined ? {} : { description }),
          ...(byDefault === undefined ? {} : { default: byDefault }),
          ...(typeof auth === 'boolean' ? { auth } : {}),
          required: required.includes(name),
        },
      ];
    }),
  );
}

/** Maximum number of references from a property to its schema. References may form a circle. */
const maxReferences = 16;

/** Returns the schema of a property as written, with the members of the schema to which its `$ref` leads. Empty for an unknown name. */
export function propertyOf(schema: JsonSchema, name: string): Parameter {
  const members = membersOf(schema);
  let member: unknown = Object.hasOwn(members, name) ? members[name] : undefined;
  let merged: Readonly<Record<string, unknown>> = {};
  for (let count = 0; count <= maxReferences && isPlainObject(member); count += 1) {
    merged = { ...member, ...merged };
    const { $ref: reference } = member;
    member = typeof reference === 'string' ? referenceTarget(schema, reference) : undefined;
  }
  return merged as Parameter;
}

/** Returns the properties of a JSON Schema, by name. */
export function membersOf(schema: JsonSchema): Record<string, unknown> {
  return isPlainObject(schema['properties']) ? schema['properties'] : {};
}
