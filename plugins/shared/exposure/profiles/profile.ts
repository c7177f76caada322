import { isPlainObject, type JsonSchema } from '../../../../kernel/index.ts';
import { everySchema, type Subschema } from '../subschemas.ts';

/** A tool as a model API gets it. */
export interface ListedInput {
  readonly name: string;
  readonly inputSchema: JsonSchema;
}

/** The same, with all schemas in it looked up once. */
export interface ReadInput extends ListedInput {
  readonly schemas: readonly Subschema[];
}

/** What an API refuses. */
export interface Refusal {
  /** In the listed tool, as a JSON pointer (RFC 6901): `/name`, or below `/inputSchema`. */
  readonly pointer: string;
  /** What is expected there, what is received, and what to do. */
  readonly message: string;
}

/**
 * What one consumer takes of a tool. Keywords that only narrow, such as `maxLength`, are in no profile: an API that does not know them has
 * them left out by its clients, and calls are checked in any case.
 */
export interface Profile {
  /** As people call it. */
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** What is wrong with a listed tool, by one rule. */
export type Rule = (tool: ReadInput) => readonly Refusal[];

/** What is wrong at one schema: a message, and the keyword that it is about. */
type AtSchema = (schema: JsonSchema) => { readonly key?: string; readonly message: string } | undefined;

const root = '/inputSchema';

/** What the rules of a profile find. */
export function refusalsBy(profile: Profile, tool: ReadInput): readonly Refusal[] {
  return profile.rules.flatMap((rule) => rule(tool));
}

/** `most`: schemas that are looked at. @default all */
export function readInput(tool: ListedInput, most: number = Number.POSITIVE_INFINITY): ReadInput {
  return { ...tool, schemas: everySchema(tool.inputSchema, root, most) };
}

/** The name matches the pattern; `says`: what that means. */
export function nameIs(pattern: RegExp, says: string): Rule {
  return ({ name }) => (pattern.test(name) ? [] : [{ pointer: '/name', message: `expected ${says}` }]);
}

/** The whole is an object, without these keywords beside `type`. */
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

/** Names of members match the pattern: those of the whole alone, or all. */
export function membersAre(pattern: RegExp, says: string, where: 'whole' | 'everywhere'): Rule {
  return ({ schemas }) =>
    schemas
      .filter(({ keyword, pointer }) => keyword === 'properties' && (where === 'everywhere' || pointer.split('/').length === 4))
      .filter(({ pointer }) => !pattern.test(nameAt(pointer)))
      .map(({ pointer }) => ({ pointer, message: `expected ${says} as its name` }));
}

/** None of these keywords stands anywhere below the whole. */
export function without(keywords: readonly string[], instead: string): Rule {
  return (tool) =>
    keywords.flatMap((key) =>
      atEach(below(tool), (schema) => (Object.hasOwn(schema, key) ? { key, message: `expected no "${key}". ${instead}` } : undefined)),
    );
}

/** Every schema says its type, or the types of an `anyOf`, or refers to another. */
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

/** The values of an `enum` are texts, and of a schema of texts. */
export const enumsAreTexts: Rule = (tool) =>
  atEach(tool, ({ enum: given, type }) =>
    given === undefined || (type === 'string' && [given].flat().every((value) => typeof value === 'string'))
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
  atEach(below(tool), (schema) =>
    Object.hasOwn(schema, 'anyOf') && Object.keys(schema).length > 1
      ? { key: 'anyOf', message: 'expected nothing beside "anyOf". Write it into each part' }
      : undefined,
  );

/** Without the whole, which comes first. */
function below(tool: ReadInput): ReadInput {
  return { ...tool, schemas: tool.schemas.slice(1) };
}

function atEach({ schemas }: ReadInput, check: AtSchema): readonly Refusal[] {
  return schemas.flatMap(({ schema, pointer }) => {
    const wrong = isPlainObject(schema) ? check(schema) : undefined;
    return wrong === undefined ? [] : [{ pointer: wrong.key === undefined ? pointer : `${pointer}/${wrong.key}`, message: wrong.message }];
  });
}

function nameAt(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
