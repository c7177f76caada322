import { isPlainObject, type JsonSchema } from '../../../../kernel/index.ts';
import { type Gathered, gather } from './gather.ts';

/** Values of one type, or of several, as a list of tools can show them. Parts below are schemas that are not read yet. */
export type Shape = AnyShape | ScalarShape | ListShape | ObjectShape | UnionShape;

interface AnyShape {
  readonly kind: 'any';
}

export interface ScalarShape {
  readonly kind: 'scalar';
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'null';
  /** Keywords that narrow its values: limits, pattern, format. */
  readonly limits: JsonSchema;
  /** All values, where the schema names them. */
  readonly values?: readonly unknown[];
}

export interface ListShape {
  readonly kind: 'list';
  readonly items: unknown;
  readonly limits: JsonSchema;
}

export interface ObjectShape {
  readonly kind: 'object';
  readonly members: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Members of other names: any (true), none (false), or those of a schema. */
  readonly extra: unknown;
  /** Groups of members of which one is needed, for the description. */
  readonly needs: readonly (readonly string[])[];
}

export interface UnionShape {
  readonly kind: 'union';
  /** At least two. Each is read, and is no union. */
  readonly parts: readonly Described[];
}

/** A shape with its texts. */
export interface Described {
  readonly shape: Shape;
  readonly description?: string;
  readonly default?: unknown;
  /** Names of the definitions through which the schema was reached from its parent. */
  readonly entered: readonly string[];
}

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
type Type = (typeof types)[number];

const limitKeywords: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'],
  array: ['minItems', 'maxItems'],
};

/**
 * Reads one level of a schema: references are followed, `allOf` is merged, a union is a list of shapes. The shape has every value of the schema, or more: what it
 * cannot express (`not`, `if`, names by pattern) is left out. `root`: the schema with `$defs`.
 */
export function shapeOf(schema: unknown, root: JsonSchema): Described {
  return described(gather(schema, root), root, 0);
}

function described(gathered: Gathered, root: JsonSchema, level: number): Described {
  const { description, byDefault, entered } = gathered;
  return {
    shape: shapeFrom(gathered, root, level),
    ...(description === undefined ? {} : { description }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    entered,
  };
}

function shapeFrom(gathered: Gathered, root: JsonSchema, level: number): Shape {
  const { unions } = gathered;
  const [branches] = unions;
  if (branches === undefined || level > 4) return unionOf(typesIn(gathered).map((type) => ofType(gathered, type)));
  const parts = branches.map((branch) => gather(branch, root));
  if (isObject(gathered)) return withBranches(gathered, parts, root, level);
  const allowed = gathered.types;
  const own = typesIn(gathered).map((type) => ofType(gathered, type));
  const shapes = parts
    .map((part) => described(part, root, level + 1))
    .flatMap((part) => {
      if (part.shape.kind === 'union') return part.shape.parts;
      // A branch that names no type has those of the whole.
      return part.shape.kind === 'any' && own.length > 0 ? own : [part];
    });
  const fitting = shapes.filter(
    ({ shape }) => shape.kind === 'any' || allowed === undefined || allowed.some((type) => isOfKind(shape, type)),
  );
  return unionOf(fitting.length === 0 ? own : fitting);
}

function isOfKind(shape: Shape, type: string): boolean {
  if (shape.kind === 'scalar')
    return shape.type === type || (shape.type === 'integer' && type === 'number') || (shape.type === 'number' && type === 'integer');
  return (shape.kind === 'list' && type === 'array') || (shape.kind === 'object' && type === 'object');
}

/** True for an object with members of its own beside a union. */
function isObject({ types: allowed, members }: Gathered): boolean {
  return members.size > 0 && allowed?.length === 1 && allowed[0] === 'object';
}

/** Maximum branches of a union beside an object. With more, only the members of the object itself are shown. */
const maxBranches = 8;

/** Returns the shape of an object beside a union: one object where the branches only require members, else one for each branch. */
function withBranches(own: Gathered, branches: readonly Gathered[], root: JsonSchema, level: number): Shape {
  const { members, required, extra } = own;
  const needs = needsOf(own, branches);
  if (needs !== undefined || branches.length > maxBranches)
    return { kind: 'object', members, required, extra: needs === undefined ? true : extra, needs: needs ?? [] };
  const fitting = branches.filter(({ types: allowed }) => allowed === undefined || allowed.includes('object'));
  return unionOf(fitting.map((branch) => described(bothOf(own, branch), root, level + 1)));
}

/** Returns the groups of members of which one is needed, where the branches of a union say nothing else. */
function needsOf(own: Gathered, branches: readonly Gathered[]): readonly (readonly string[])[] | undefined {
  const isBare = branches.every((branch) => branch.members.size === 0 && branch.extra === true && branch.unions.length === 0);
  const needs = branches.map(({ required }) => [...required].filter((name) => !own.required.has(name)));
  if (!isBare) return undefined;
  return needs.every((names) => names.length > 0) ? needs : [];
}

/** Returns an object to which both apply. */
function bothOf(own: Gathered, branch: Gathered): Gathered {
  const members = new Map([...branch.members, ...own.members]);
  const isClosed = [own, branch].some((part) => part.extra === false && part.members.size === members.size);
  return {
    ...branch,
    types: ['object'],
    members,
    required: new Set([...own.required, ...branch.required]),
    extra: !isClosed,
    description: branch.description,
  };
}

/** Returns the root as one object: a union of objects becomes one, in which a member has any value that a branch allows. */
export function objectOf(schema: JsonSchema, root: JsonSchema): ObjectShape {
  const own = gather(schema, root);
  const [given] = own.unions;
  if (given === undefined) return ofType(own, 'object').shape as ObjectShape;
  const branches = given
    .map((branch) => gather(branch, root))
    .filter(({ types: allowed }) => allowed === undefined || allowed.includes('object'));
  const needs = needsOf(own, branches);
  if (needs !== undefined) return { kind: 'object', members: own.members, required: own.required, extra: own.extra, needs };
  const both = branches.map((branch) => bothOf(own, branch));
  const [first, ...others] = both;
  const names = new Set(both.flatMap(({ members }) => [...members.keys()]));
  const members = [...names].map((name): [string, unknown] => [name, own.members.get(name) ?? memberOf(name, both)]);
  return {
    kind: 'object',
    members: new Map(members),
    required: new Set([...(first?.required ?? [])].filter((name) => others.every(({ required }) => required.has(name)))),
    extra: !both.every(({ extra }) => extra === false),
    needs: [],
  };
}

/** Returns the schema of a member in one of several objects: any value where one of them has members of any name. */
function memberOf(name: string, objects: readonly Gathered[]): unknown {
  const found = objects.filter(({ members }) => members.has(name)).map(({ members }) => members.get(name));
  return objects.every(({ members, extra }) => members.has(name) || extra === false) ? { anyOf: [...new Set(found)] } : true;
}

function typesIn({ types: allowed, values }: Gathered): readonly Type[] {
  const named = types.filter((type) => allowed?.includes(type) ?? true);
  if (values === undefined) return allowed === undefined ? [] : named;
  const fitting = named.filter((type) => values.some((value) => isOfType(value, type)));
  return fitting.includes('number') ? fitting.filter((type) => type !== 'integer') : fitting;
}

function isOfType(value: unknown, type: Type): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  return typeof value === type && (type !== 'object' || isPlainObject(value));
}

function ofType(gathered: Gathered, type: Type): Described {
  const { keywords, members, required, extra, values } = gathered;
  const limits = Object.fromEntries(
    (limitKeywords[type] ?? []).flatMap((key) => (keywords[key] === undefined ? [] : [[key, keywords[key]]])),
  );
  if (type === 'object') return { shape: { kind: 'object', members, required, extra, needs: [] }, entered: [] };
  if (type === 'array') return { shape: { kind: 'list', items: keywords['items'] ?? true, limits }, entered: [] };
  const own = values?.filter((value) => isOfType(value, type));
  return {
    shape: { kind: 'scalar', type, limits, ...(own === undefined || type === 'null' || type === 'boolean' ? {} : { values: own }) },
    entered: [],
  };
}

/** Joins parts. Scalars of one type become one; any value beside others is any value. */
function unionOf(given: readonly Described[]): Shape {
  const parts = given.flatMap((part) => (part.shape.kind === 'union' ? part.shape.parts : [part]));
  if (parts.length === 0 || parts.some(({ shape }) => shape.kind === 'any')) return { kind: 'any' };
  const kept: Described[] = [];
  for (const part of parts) {
    const same = kept.findIndex(({ shape }) => isSame(shape, part.shape));
    if (same === -1) kept.push(part);
    else kept[same] = { ...(kept[same] as Described), shape: joinedScalars((kept[same] as Described).shape, part.shape) };
  }
  const [only] = kept;
  return kept.length === 1 && only !== undefined ? only.shape : { kind: 'union', parts: kept };
}

function isSame(a: Shape, b: Shape): boolean {
  if (a.kind === 'list' && b.kind === 'list') return a.items === b.items;
  return a.kind === 'scalar' && b.kind === 'scalar' && (a.type === b.type || (isNumber(a) && isNumber(b)));
}

function isNumber({ type }: ScalarShape): boolean {
  return type === 'number' || type === 'integer';
}

function joinedScalars(a: Shape, b: Shape): Shape {
  if (a.kind === 'list') return { ...a, limits: {} };
  if (a.kind !== 'scalar' || b.kind !== 'scalar') return a;
  const values = a.values === undefined || b.values === undefined ? undefined : [...new Set([...a.values, ...b.values])];
  const type = a.type === b.type ? a.type : 'number';
  return { kind: 'scalar', type, limits: {}, ...(values === undefined ? {} : { values }) };
}
