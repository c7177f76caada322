import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../../kernel/index.ts';

/** A schema with the shared schemas to which it refers. */
export interface SharedSchema {
  readonly schema: unknown;
  readonly shared: Readonly<Record<string, unknown>>;
}

/** Differences between two schemas, each a text that begins with the path of the value. */
export interface SchemaDifferences {
  /** Differences that values accepted before may not fit. */
  readonly breaking: string[];
  readonly other: string[];
}

/** Keywords that restrict a value. */
const limits = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
].concat(['minItems', 'maxItems', 'const']);

/** Maximum depth to which members are compared, and number of differences that are collected. */
const maxDepth = 8;
const maxDifferences = 20;

/**
 * Compares the schema of a value before and after a change. An input breaks where less is accepted, an output where a caller may miss what it had.
 */
export function compareSchemas(before: SharedSchema, after: SharedSchema, direction: 'input' | 'output', name: string): SchemaDifferences {
  const found: SchemaDifferences = { breaking: [], other: [] };
  const seen = new Set<string>();
  const visit = (one: unknown, two: unknown, path: string, depth: number): void => {
    if (depth > maxDepth || found.breaking.length + found.other.length >= maxDifferences) return;
    const pair = `${referenceOf(one) ?? ''}|${referenceOf(two) ?? ''}`;
    if (pair !== '|' && seen.has(pair)) return;
    seen.add(pair);
    const [old, now] = [resolved(one, before.shared), resolved(two, after.shared)];
    if (isDeepStrictEqual(old, now) && referenceFree(old)) return;
    const [oldTypes, nowTypes] = [typesOf(old), typesOf(now)];
    const isNarrower = direction === 'input' ? isLess(nowTypes, oldTypes) : isLess(oldTypes, nowTypes);
    if (isNarrower) found.breaking.push(`${path}: ${words(oldTypes)} before, ${words(nowTypes)} now`);
    else if (!isDeepStrictEqual(oldTypes, nowTypes)) found.other.push(`${path}: ${words(oldTypes)} before, ${words(nowTypes)} now`);
    compareEnums(old['enum'], now['enum'], path, direction, found);
    for (const limit of limits) {
      if (isDeepStrictEqual(old[limit], now[limit])) continue;
      const to = direction === 'input' && now[limit] !== undefined ? found.breaking : found.other;
      to.push(`${path}: ${limit} ${shown(old[limit])} before, ${shown(now[limit])} now`);
    }
    const [oldMembers, nowMembers] = [membersOf(old), membersOf(now)];
    const [oldRequired, nowRequired] = [requiredOf(old), requiredOf(now)];
    for (const [member, schema] of nowMembers) {
      const inner = path === '' ? member : `${path}.${member}`;
      const isRequired = nowRequired.has(member) && !oldRequired.has(member);
      if (direction === 'input' && isRequired) found.breaking.push(`${inner} is required now`);
      else if (!oldMembers.has(member)) found.other.push(`${inner} is new`);
      else if (direction === 'output' && oldRequired.has(member) && !nowRequired.has(member))
        found.breaking.push(`${inner} may be missing now`);
      if (oldMembers.has(member)) visit(oldMembers.get(member), schema, inner, depth + 1);
    }
    for (const member of oldMembers.keys())
      if (!nowMembers.has(member)) found.breaking.push(`${path === '' ? member : `${path}.${member}`} is gone`);
    if (old['items'] !== undefined && now['items'] !== undefined) visit(old['items'], now['items'], `${path}[]`, depth + 1);
  };
  visit(before.schema, after.schema, name, 0);
  return found;
}

function compareEnums(old: unknown, now: unknown, path: string, direction: 'input' | 'output', found: SchemaDifferences): void {
  const lists = [old, now].map((list) => (Array.isArray(list) ? list.map((value) => JSON.stringify(value)) : undefined));
  const [before, after] = lists;
  const gone = before?.filter((value) => after !== undefined && !after.includes(value)) ?? [];
  const added = after?.filter((value) => before !== undefined && !before.includes(value)) ?? [];
  if (gone.length > 0) (direction === 'input' ? found.breaking : found.other).push(`${path}: no longer ${gone.slice(0, 5).join(', ')}`);
  if (added.length > 0) found.other.push(`${path}: also ${added.slice(0, 5).join(', ')}`);
  if (before === undefined && after !== undefined)
    (direction === 'input' ? found.breaking : found.other).push(`${path}: only ${after.slice(0, 5).join(', ')} now`);
  if (before !== undefined && after === undefined) found.other.push(`${path}: no longer one of a list`);
}

function referenceOf(schema: unknown): string | undefined {
  return isPlainObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined;
}

function resolved(schema: unknown, shared: Readonly<Record<string, unknown>>, hops = 10): Readonly<Record<string, unknown>> {
  const name = /^#\/\$defs\/([^/]+)$/.exec(referenceOf(schema) ?? '')?.[1];
  if (name !== undefined && hops > 0 && Object.hasOwn(shared, name)) return resolved(shared[name], shared, hops - 1);
  return isPlainObject(schema) ? schema : {};
}

function referenceFree(schema: unknown): boolean {
  return !JSON.stringify(schema).includes('"$ref"');
}

/** Returns the types of a schema; undefined for any. */
function typesOf({ type }: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  return type === undefined ? undefined : [type].flat().toSorted();
}

/** True when some of `other` is not among `types`. An integer is a number. */
function isLess(types: readonly unknown[] | undefined, other: readonly unknown[] | undefined): boolean {
  if (types === undefined) return false;
  if (other === undefined) return true;
  return other.some((type) => !types.includes(type) && !(type === 'integer' && types.includes('number')));
}

function membersOf({ properties }: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  return new Map(isPlainObject(properties) ? Object.entries(properties) : []);
}

function requiredOf({ required }: Readonly<Record<string, unknown>>): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? required : []);
}

function words(types: readonly unknown[] | undefined): string {
  return types?.join(' or ') ?? 'any type';
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value).slice(0, 60);
}
