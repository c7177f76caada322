import { isPlainObject, type JsonSchema } from '../../../../kernel/index.ts';
import { everySchema, type Subschema } from '../subschemas.ts';

/** A tool as a model API receives it. */
export interface ListedInput {
  readonly name: string;
  readonly inputSchema: JsonSchema;
}

/** A listed tool with all its schemas collected once. */
export interface InputWithSchemas extends ListedInput {
  readonly schemas: readonly Subschema[];
}

/** A refusal by a model API. */
export interface Refusal {
  /** JSON pointer (RFC 6901) in the listed tool: `/name`, or below `/inputSchema`. */
  readonly pointer: string;
  /** Message with what is expected, what was received, and what to do. */
  readonly message: string;
}

/**
 * The rules of one consumer for listed tools. Profiles ignore keywords that only narrow, such as `maxLength`: clients leave them out for
 * APIs that do not know them, and calls are checked in any case.
 */
export interface Profile {
  /** Name of the consumer, as people call it. */
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** Checks a listed tool by one rule. */
export type Rule = (tool: InputWithSchemas) => readonly Refusal[];

/** Checks one schema. Returns a message, and the keyword it is about. */
type AtSchema = (schema: JsonSchema) => { readonly key?: string; readonly message: string } | undefined;

const root = '/inputSchema';

/** Returns the refusals by all rules of a profile. */
export function refusalsBy(profile: Profile, tool: InputWithSchemas): readonly Refusal[] {
  return profile.rules.flatMap((rule) => rule(tool));
}

/** Collects the schemas of a listed tool. `maxSchemas`: the limit. @default all */
export function collectInput(tool: ListedInput, maxSchemas: number = Number.POSITIVE_INFINITY): InputWithSchemas {
  return { ...tool, schemas: everySchema(tool.inputSchema, root, maxSchemas) };
}

/** Rule: the name matches the pattern. `description`: the pattern in words. */
export function nameIs(pattern: RegExp, description: string): Rule {
  return ({ name }) => (pattern.test(name) ? [] : [{ pointer: '/name', message: `expected ${description}` }]);
}

/** Rule: the root is an object, without these keywords beside `type`. */
export function rootIsObject(forbidden: readonly string[]): Rule {
  return ({ inputSchema }) => [
    ...(inputSchema['type'] === 'object' ? [] : [{ pointer: root, message: 'expected "type: object" for the whole' }]),
    ...forbidden
      .filter((key) => Object.hasOwn(inputSchema, key))
      .map((key) => ({
        pointer: `${root}/${key}`,
        message: `expected no "${key}" for the whole. Write one object with its properties, and say in their descriptions which go together`,
      })),
  ];
}

/** Rule: names of members match the pattern, at the root only or everywhere. */
export function membersAre(pattern: RegExp, description: string, where: 'whole' | 'everywhere'): Rule {
  return ({ schemas }) =>
    schemas
      .filter(({ keyword, pointer }) => keyword === 'properties' && (where === 'everywhere' || pointer.split('/').length === 4))
      .filter(({ pointer }) => !pattern.test(nameAt(pointer)))
      .map(({ pointer }) => ({ pointer, message: `expected ${description} as its name` }));
}

/** Rule: none of these keywords stands anywhere below the root. */
export function without(keywords: readonly string[], instead: string): Rule {
  return (tool) =>
    keywords.flatMap((key) =>
      atEach(withoutRoot(tool), (schema) =>
        Object.hasOwn(schema, key) ? { key, message: `expected no "${key}". ${instead}` } : undefined,
      ),
    );
}

/** Rule: every schema has a type, an `anyOf`, or a reference. */
export const typed: Rule = (tool) =>
  atEach(tool, (schema) =>
    ['type', 'anyOf', '$ref'].some((key) => Object.hasOwn(schema, key)) ? undefined : { message: 'expected "type". Name one' },
  );

export const oneType: Rule = (tool) =>
  atEach(tool, ({ type }) =>
    Array.isArray(type) ? { key: 'type', message: 'expected one type, received a list. Write "anyOf" with one type each' } : undefined,
  );

export const noBooleans: Rule = ({ schemas }) =>
  schemas
    .filter(({ keyword }) => keyword !== 'additionalProperties' && keyword !== 'unevaluatedProperties')
    .filter(({ schema }) => typeof schema === 'boolean')
    .map(({ schema, pointer }) => ({ pointer, message: `expected a schema with a type, received ${String(schema)}` }));

export const listsHaveItems: Rule = (tool) =>
  atEach(tool, ({ type, items }) => {
    const isList = [type].flat().includes('array');
    return !isList || isPlainObject(items) ? undefined : { message: 'expected "items" of a list. Say what its items are' };
  });

/** Rule: the values of an `enum` are text, in a schema of type string. */
export const enumsAreTexts: Rule = (tool) =>
  atEach(tool, ({ enum: values, type }) =>
    values === undefined || (type === 'string' && [values].flat().every((value) => typeof value === 'string'))
      ? undefined
      : { key: 'enum', message: 'expected texts alone, and "type: string". Name other values in the description' },
  );

export function formatsAre(known: readonly string[]): Rule {
  return (tool) =>
    atEach(tool, ({ format }) =>
      format === undefined || known.includes(format as string)
        ? undefined
        : { key: 'format', message: `expected one of ${known.join(', ')}. Name any other format in the description` },
    );
}

export const unionsAreAlone: Rule = (tool) =>
  atEach(withoutRoot(tool), (schema) =>
    Object.hasOwn(schema, 'anyOf') && Object.keys(schema).length > 1
      ? { key: 'anyOf', message: 'expected nothing beside "anyOf". Write it into each part' }
      : undefined,
  );

/** Leaves out the root, which comes first. */
function withoutRoot(tool: InputWithSchemas): InputWithSchemas {
  return { ...tool, schemas: tool.schemas.slice(1) };
}

function atEach({ schemas }: InputWithSchemas, check: AtSchema): readonly Refusal[] {
  return schemas.flatMap(({ schema, pointer }) => {
    const issue = isPlainObject(schema) ? check(schema) : undefined;
    return issue === undefined ? [] : [{ pointer: issue.key === undefined ? pointer : `${pointer}/${issue.key}`, message: issue.message }];
  });
}

function nameAt(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
