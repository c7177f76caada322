import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import type { Issue } from '../errors.ts';
import { maxIssues } from '../json/cost.ts';
import { describeValue, isPlainObject, type JsonSchema } from '../json/json.ts';
import { digitsPattern, exactSchema } from './exact-integers.ts';
import { patternIssue } from './pattern-issue.ts';
import { type Cut, sampleOf } from './sample.ts';
import { compileInPieces, hasUniqueItems, manyDefs } from './split-schema.ts';
import { chosenBranches, isUnion, withoutForeign } from './union-findings.ts';
import { unknownKeyIssue } from './unknown-key.ts';
import { asJson, type Finding, list, pointerSegments, schemaAt, valueAt } from './validator-finding.ts';

/** Number of findings to request beyond the limit: those of unions are filtered out afterwards. */
const spareFindings = 40;

interface Compiled {
  readonly validator: Pick<Validator, 'Check' | 'Errors'>;
  /** True when a list in the schema has `uniqueItems`. */
  readonly comparesItems: boolean;
}

const compiled = new WeakMap<object, Compiled>();

/** Referenced schemas outside the schema, by the whole reference, and by the address of the document without a fragment. */
export type ReferencedSchemas = Readonly<Record<string, JsonSchema | boolean>>;

/**
 * Checks a value against a JSON Schema (2020-12). Returns its issues, at most `maxIssues`; none if it is valid. The schema is compiled on first
 * use and cached by its object; with `references`, for its outside references, it is compiled each time. Never fetches a reference.
 */
export function checkValue(schema: JsonSchema | TSchema, value: unknown, references?: ReferencedSchemas): readonly Issue[] {
  return findIssues(schema, value, maxIssues, references).issues;
}

/** Does the same, but also accepts texts of digits as integers beyond ±(2^53−1), for types integer and number. */
export function checkExactly(schema: JsonSchema, value: unknown, references?: ReferencedSchemas): readonly Issue[] {
  return findExactIssues(schema, value, maxIssues, references).issues;
}

/** Does the same as `checkExactly`, with at most `limit` issues. */
export function findExactIssues(schema: JsonSchema, value: unknown, limit: number, references?: ReferencedSchemas): IssueList {
  const exact = (node: JsonSchema | boolean): JsonSchema | boolean => (typeof node === 'boolean' ? node : exactSchema(node, 'all'));
  const entries = references && Object.entries(references).map(([address, node]) => [address, exact(node)] as const);
  return findIssues(exactSchema(schema, 'all'), value, limit, entries && Object.fromEntries(entries));
}

/** The issues of a value. */
export interface IssueList {
  readonly issues: readonly Issue[];
  /** True when the list is complete. */
  readonly isWhole: boolean;
}

/** Returns the issues of a value, at most `limit`. */
export function findIssues(schema: JsonSchema | TSchema, value: unknown, limit: number, references?: ReferencedSchemas): IssueList {
  const { validator, comparesItems } = references === undefined ? compile(schema) : compileWith(references, schema);
  if (validator.Check(value)) return { issues: [], isWhole: true };
  const sample = sampleOf(value, comparesItems);
  const maxIssues = limit + spareFindings;
  Settings.Set({ maxErrors: maxIssues });
  const [, errors] = validator.Errors(sample.value);
  const findings = (errors as unknown as readonly Finding[]).map((finding) => typeFinding(schema, finding));
  const reported = chosenBranches(withoutForeign(findings, schema, value), schema)
    .filter((error) => !(isUnion(error) && errors.some((other) => other.schemaPath.startsWith(`${error.schemaPath}/${error.keyword}/`))))
    .filter((error) => !(isAboutWhole(error) && sample.cuts.has(valueAt(sample.value, error.instancePath))));
  const issues = [...sample.cuts.values()].flatMap((cut) => sizeIssue(schema, value, cut));
  for (const finding of reported) {
    if (issues.length > limit) break;
    issues.push(...issuesOf(schema, value, finding, limit + 1 - issues.length));
  }
  if (issues.length === 0) issues.push({ path: '', pointer: '', message: unseen });
  return { issues: issues.slice(0, limit), isWhole: sample.cuts.size === 0 && errors.length < maxIssues && issues.length <= limit };
}

/** Returns a finding about the type in place of one of `exactSchema` or of the digits pattern of `withExactIntegers`. */
function typeFinding(schema: object, finding: Finding): Finding {
  const { keyword, params, schemaPath } = finding;
  if (keyword === 'pattern') {
    const { pattern, type } = schemaAt(schema, schemaPath) ?? {};
    return pattern === digitsPattern
      ? { ...finding, keyword: 'type', params: { type: list(type).filter((name) => name !== 'string') } }
      : finding;
  }
  if (keyword !== '~refine' || params['message'] !== '') return finding;
  return { ...finding, keyword: 'type', params: { type: schemaAt(schema, schemaPath)?.['~types'] } };
}

/** Returns issues about the size of a list or object of which only a part was checked. */
function sizeIssue(schema: object, root: unknown, { pointer, size }: Cut): Issue[] {
  const at = valueAt(root, pointer);
  const [keyword, what] = Array.isArray(at) ? ['maxItems', 'items'] : ['maxProperties', 'members'];
  const most = schemaOf(schema, pointerSegments(pointer))?.[keyword];
  if (typeof most !== 'number' || size <= most) return [];
  return [{ path: pathOf(pointer), pointer, message: `expected at most ${most} ${what}, received ${size}` }];
}

/** Returns the schema of a member, as far as `properties`, `additionalProperties` and `items` lead. */
function schemaOf(schema: unknown, [segment, ...rest]: readonly string[]): Record<string, unknown> | undefined {
  if (!isPlainObject(schema)) return undefined;
  if (segment === undefined) return schema;
  const { properties, additionalProperties, items } = schema;
  const member = isPlainObject(properties) && Object.hasOwn(properties, segment) ? properties[segment] : additionalProperties;
  return schemaOf(items ?? member, rest);
}

const unseen =
  'does not fit, somewhere after the first entries of a long list or object; only those are checked one by one. Send less to see where';

/** True for a finding that may be wrong for a list or object of which only a part was checked. */
function isAboutWhole({ keyword }: Finding): boolean {
  return ['required', 'minItems', 'minProperties', 'contains', 'minContains', 'dependentRequired'].includes(keyword);
}

/** Compiles a schema. Throws the compiler's error for an invalid one. */
function compile(schema: JsonSchema | TSchema): Compiled {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const $defs = manyDefs(schema as JsonSchema);
  const entry = $defs === undefined ? compileWith({}, schema) : compileInPieces(schema as JsonSchema, $defs);
  compiled.set(schema, entry);
  return entry;
}

function compileWith(references: ReferencedSchemas, schema: JsonSchema | TSchema): Compiled {
  const validator = Compile(references as never, schema as never) as unknown as Validator;
  return { validator, comparesItems: hasUniqueItems([schema, references]) };
}

/** Formats the pointer `/items/0/name` (RFC 6901) as `items[0].name`. */
export function pathOf(pointer: string): string {
  return pointerSegments(pointer).reduce<string>((path, segment) => {
    if (/^\d+$/.test(segment)) return `${path}[${segment}]`;
    return path === '' ? segment : `${path}.${segment}`;
  }, '');
}

/** Returns at most `limit` issues: one finding may name every member of an object. */
function issuesOf(schema: object, root: unknown, finding: Finding, limit: number): Issue[] {
  const pointer = finding.instancePath;
  const at = valueAt(root, pointer);
  const issue = (message: string, more: Partial<Issue> = {}): Issue[] => [{ path: pathOf(pointer), pointer, message, ...more }];
  const inside = (name: unknown, message: string): Issue => {
    const child = `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return { path: pathOf(child), pointer: child, message };
  };
  switch (finding.keyword) {
    case 'required':
      return firstOf(finding.params['requiredProperties'], limit).map((name) => inside(name, 'is required'));
    case 'additionalProperties':
      // Each wrong member has its own finding.
      return [];
    case 'boolean': {
      const owner = schemaAt(schema, parentOf(finding.schemaPath));
      if (!finding.schemaPath.endsWith('/additionalProperties') || owner?.['additionalProperties'] !== false)
        return issue('is not allowed here');
      const { message, resembles } = unknownKeyIssue(owner, String(pointerSegments(pointer).at(-1)), valueAt(root, parentOf(pointer)));
      return issue(message, { resembles });
    }
    case 'enum':
      return issue(`expected one of ${list(finding.params['allowedValues']).map(asJson).join(', ')}, received ${describeValue(at)}`);
    case 'const':
      return issue(`expected ${asJson(finding.params['allowedValue'])}, received ${describeValue(at)}`);
    case 'type':
      return issue(`expected ${list(finding.params['type']).join(' or ')}, received ${describeValue(at)}`);
    case 'pattern':
      return issue(
        `${patternIssue([schemaAt(schema, finding.schemaPath), schemaOf(schema, pointerSegments(pointer))], finding.params)}, received ${describeValue(at)}`,
      );
    case '~refine':
      return issue(String(finding.params['message']));
    default:
      return issue(worded(finding, at));
  }
}

function worded({ message }: Finding, received: unknown): string {
  return `${message.replace(/^must /, 'expected to ')}, received ${describeValue(received)}`;
}

function firstOf(value: unknown, limit: number): unknown[] {
  return list(value).slice(0, limit);
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}
