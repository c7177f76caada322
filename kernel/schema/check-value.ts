import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import type { Issue } from '../errors.ts';
import { describeValue, type JsonSchema } from './json.ts';
import { didYouMean, nearest } from './nearest.ts';

/** How many findings one check reports. */
const maxIssues = 50;

const compiled = new WeakMap<object, Validator>();

/**
 * Checks a value against a JSON Schema (2020-12) and returns every finding; an empty list means it fits. The schema is compiled on
 * first use and kept for as long as the schema object lives. Network references are never fetched.
 */
export function checkValue(schema: JsonSchema | TSchema, value: unknown): readonly Issue[] {
  const validator = compile(schema);
  if (validator.Check(value)) return [];
  const [, errors] = validator.Errors(value);
  const parents = new Set(errors.filter((error) => error.keyword === 'additionalProperties').map((error) => error.instancePath));
  return chosenBranches(errors as unknown as readonly Finding[], schema)
    .filter((error) => !(error.keyword === 'boolean' && parents.has(parentOf(error.instancePath))))
    .filter((error) => !(isUnion(error) && errors.some((other) => other.schemaPath.startsWith(`${error.schemaPath}/${error.keyword}/`))))
    .flatMap((error) => issuesOf(schema, value, error as unknown as Finding));
}

/** Of a union whose branches say in `type` what they are, only what is wrong with the branch that was meant. */
function chosenBranches(findings: readonly Finding[], schema: object): readonly Finding[] {
  return findings.filter(isUnion).reduce((left, union) => {
    const prefix = `${union.schemaPath}/${union.keyword}/`;
    const branchOf = ({ schemaPath }: Finding): string | undefined =>
      schemaPath.startsWith(prefix) ? schemaPath.slice(prefix.length).split('/')[0] : undefined;
    const isWrongKind = (finding: Finding): boolean => finding.keyword === 'type' && finding.instancePath === union.instancePath;
    const isWrongType = (finding: Finding): boolean =>
      (finding.keyword === 'const' && finding.instancePath === `${union.instancePath}/type`) ||
      (finding.keyword === 'required' &&
        finding.instancePath === union.instancePath &&
        list(finding.params['requiredProperties']).includes('type'));
    const inside = left.filter((finding) => branchOf(finding) !== undefined);
    const outside = left.filter((finding) => branchOf(finding) === undefined);
    const wrongKind = new Set(inside.filter(isWrongKind).map(branchOf));
    if (!inside.some(isWrongType)) {
      if (new Set(inside.map(branchOf)).size === wrongKind.size)
        return [...outside, ...inside.filter((finding) => !isUnion(finding)).slice(0, 1)];
      return left.filter((finding) => !wrongKind.has(branchOf(finding)));
    }
    const others = new Set(inside.filter((finding) => isWrongType(finding) || isWrongKind(finding)).map(branchOf));
    const meant = inside.filter((finding) => !others.has(branchOf(finding)));
    if (meant.length > 0) return [...outside, ...meant];
    const wrong = inside.filter(isWrongType);
    const [first] = wrong;
    if (first === undefined) return left;
    const allowedValues = wrong.map(({ schemaPath }) => schemaAt(schema, schemaPath)?.['const']);
    const one =
      first.keyword === 'required' ? { params: { requiredProperties: ['type'] } } : { keyword: 'enum', params: { allowedValues } };
    return [...outside, { ...first, ...one }];
  }, findings);
}

/** Says only that no branch fits; what is wrong in the branches says more. */
function isUnion({ keyword }: { readonly keyword: string }): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}

/** Throws what the schema compiler says when the schema itself is broken. */
export function compile(schema: JsonSchema | TSchema): Validator {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  Settings.Set({ maxErrors: maxIssues });
  const validator = Compile(schema as never) as unknown as Validator;
  compiled.set(schema, validator);
  return validator;
}

/** `/items/0/name` (RFC 6901) as `items[0].name`. */
export function pathOf(pointer: string): string {
  return pointerSegments(pointer).reduce<string>((path, segment) => {
    if (/^\d+$/.test(segment)) return `${path}[${segment}]`;
    return path === '' ? segment : `${path}.${segment}`;
  }, '');
}

export function pointerSegments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

interface Finding {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: Record<string, unknown>;
  readonly message: string;
}

function issuesOf(schema: object, root: unknown, finding: Finding): Issue[] {
  const pointer = finding.instancePath;
  const at = valueAt(root, pointer);
  const issue = (message: string): Issue[] => [{ path: pathOf(pointer), pointer, message }];
  const inside = (name: unknown, message: string, more: Partial<Issue> = {}): Issue => {
    const child = `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return { path: pathOf(child), pointer: child, message, ...more };
  };
  switch (finding.keyword) {
    case 'required':
      return list(finding.params['requiredProperties']).map((name) => inside(name, 'is required'));
    case 'additionalProperties': {
      // With a schema for further members each wrong one is reported by that schema.
      if (schemaAt(schema, finding.schemaPath)?.['additionalProperties'] !== false) return [];
      return list(finding.params['additionalProperties']).map((name) =>
        unknownKey(schemaAt(schema, finding.schemaPath), String(name), inside),
      );
    }
    case 'enum':
      return issue(`expected one of ${list(finding.params['allowedValues']).map(asJson).join(', ')}, received ${describeValue(at)}`);
    case 'const':
      return issue(`expected ${asJson(schemaAt(schema, finding.schemaPath)?.['const'])}, received ${describeValue(at)}`);
    case 'boolean':
      return issue('is not allowed here');
    case 'type':
      return issue(`expected ${list(finding.params['type']).join(' or ')}, received ${describeValue(at)}`);
    default:
      return issue(`${finding.message.replace(/^must /, 'expected to ')}, received ${describeValue(at)}`);
  }
}

function unknownKey(
  schema: Record<string, unknown> | undefined,
  name: string,
  inside: (name: string, message: string, more: Partial<Issue>) => Issue,
): Issue {
  const known = Object.keys((schema?.['properties'] as object | undefined) ?? {});
  const expected = known.length === 0 ? 'no entries' : known.join(', ');
  return inside(name, `is not known here.${didYouMean(name, known) || ` Expected ${expected}.`}`, { resembles: nearest(name, known) });
}

function asJson(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

function valueAt(root: unknown, pointer: string): unknown {
  return pointerSegments(pointer).reduce<unknown>((value, segment) => (value as Record<string, unknown> | undefined)?.[segment], root);
}

/** The subschema at a place that the validator names; it goes through references without saying so. */
function schemaAt(schema: object, pointer: string): Record<string, unknown> | undefined {
  const definitions: Record<string, unknown> = {};
  const entered = (node: unknown): Record<string, unknown> | undefined => {
    if (typeof node !== 'object' || node === null) return undefined;
    const { $defs, $ref } = node as { $defs?: object; $ref?: unknown };
    Object.assign(definitions, $defs);
    return typeof $ref === 'string' ? entered(definitions[$ref.replace(/^#\/\$defs\//, '')]) : (node as Record<string, unknown>);
  };
  return pointerSegments(pointer).reduce((node, segment) => entered(node?.[segment]), entered(schema));
}
