import { isRequired } from '../../definition/check/parameter-overlay.ts';
import { type ParameterReference, referencesAmong } from '../../definition/check/parameter-references.ts';
import { suppliedNames } from '../../definition/link/supplied-names.ts';
import { isNullNothing, type Parameter } from '../../definition/schema/parameter.ts';
import type { Tool } from '../../definition/schema/tool.ts';
import { excerpt, type Issue, sentence, ToolkitError } from '../../errors.ts';
import { maxIssues } from '../../json/cost.ts';
import { freezeInSlices, inSlices } from '../../json/in-slices.ts';
import { atOnce, deepFreeze, describeValue, isLarge, isPlainObject, type RoundedInteger, toJsonParameters } from '../../json/json.ts';
import { checkValue } from '../../schema/check-value.ts';
import { exactIssues } from './exact-issues.ts';
import { jsonTextIssues, refusesJsonText } from './json-text-issues.ts';
import { acceptsNoText, textsAsValues } from './texts-as-values.ts';

/** The source of parameters: a model, host code, or a step of the call that changed them. */
export type ParametersFrom = 'model' | 'host' | 'step';

/**
 * Returns the checked parameters of a call: a frozen copy with defaults. `null` for an optional parameter counts as absent. Callers may
 * not give fixed values, and models may not give values that the service supplies; steps of the call may. Throws INVALID_PARAMETERS with
 * all issues at once.
 */
export function checkParameters(tool: Tool, parameters: unknown, from: ParametersFrom): Readonly<Record<string, unknown>> {
  const object = objectOf(tool, parameters);
  const rounded: RoundedInteger[] = [];
  return deepFreeze(fitting(tool, object, copyOf(tool, object, rounded), { from, rounded }));
}

/** Returns the checked parameters, for large ones: works in slices. */
export async function checkParametersInSlices(
  tool: Tool,
  given: unknown,
  from: ParametersFrom,
): Promise<Readonly<Record<string, unknown>>> {
  const object = objectOf(tool, given);
  const rounded: RoundedInteger[] = [];
  const inParts = inSlices<unknown>(object, (part) => toJsonParameters(part, rounded));
  const copy = await Promise.resolve(inParts).catch(() => copyOf(tool, object, []));
  // The paths found in a part are not those in the whole value.
  const placed = rounded.length === 0 ? rounded : roundedIn(tool, object);
  return freezeInSlices(fitting(tool, object, copy as Record<string, unknown>, { from, rounded: placed }));
}

function roundedIn(tool: Tool, object: Record<string, unknown>): readonly RoundedInteger[] {
  const rounded: RoundedInteger[] = [];
  copyOf(tool, object, rounded);
  return rounded;
}

function objectOf(tool: Tool, given: unknown): Record<string, unknown> {
  if (isPlainObject(given)) return given;
  throw invalid(tool, [{ path: '', message: `expected an object, received ${describeValue(given)}` }]);
}

/** The source of parameters, and their numbers that may have been rounded. */
interface ParameterSource {
  readonly from: ParametersFrom;
  readonly rounded: readonly RoundedInteger[];
}

function fitting(
  tool: Tool,
  given: Record<string, unknown>,
  copy: Record<string, unknown>,
  { from, rounded }: ParameterSource,
): Record<string, unknown> {
  const { fixed, defaults, supplied, withoutJsonText, references } = namesOf(tool);
  const parameters = withDefaults(tool.parameters, defaults, copy);
  const unclear = references.length === 0 ? [] : referenceIssues(tool, references, given, parameters);
  const shown = fixed.length === 0 ? parameters : Object.fromEntries(Object.entries(parameters).filter(([name]) => !fixed.includes(name)));
  const isGiven = (name: string): boolean => Object.hasOwn(given, name);
  const refused = [
    ...(from === 'model' ? supplied.filter(isGiven).map(suppliedParameter) : []),
    ...(from === 'step' ? [] : fixed.filter(isGiven).map(unknownParameter)),
    ...(from === 'step' ? [] : withoutJsonText.filter(isGiven).flatMap((name) => jsonTexts(tool, name, shown[name]))),
    ...unclear,
  ];
  const found = checkValue(tool.inputSchema, shown);
  const all = found.length === 0 && rounded.length === 0 ? found : exactIssues(tool, shown, found, { from, rounded });
  const further = all.filter(({ path }) => !refused.some((issue) => issue.path === path));
  const issues = [...refused, ...further].slice(0, maxIssues);
  if (issues.length > 0) throw invalid(tool, issues);
  return parameters;
}

/**
 * `plain` for parameters that callers may give and that have no members: nothing stands in them under a name that the tool does not take, and they
 * cost nothing to work on. A credential that a tool declares is none of these. `large` for those that are worked on in slices.
 */
export function sizeOf({ inputSchema: { properties = {} } }: Tool, given: unknown): 'plain' | 'small' | 'large' {
  if (!isPlainObject(given)) return 'small';
  const names = Object.keys(given);
  if (names.length > atOnce) return 'large';
  if (names.every((name) => typeof given[name] !== 'object' && Object.hasOwn(properties as object, name))) return 'plain';
  return isLarge(given) ? 'large' : 'small';
}

/**
 * Parses JSON texts where an object or a list is declared, and no text: some clients send lists and objects so. Returns the same
 * parameters when there are none.
 */
export function withTextsRead(tool: Tool, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { onlyValues } = namesOf(tool);
  // Skips the work when no parameter can need it.
  if (onlyValues.length === 0 || !isPlainObject(given) || !onlyValues.some((name) => given[name] !== undefined)) return given;
  return textsAsValues(tool.inputSchema, given, tool.inputSchema) as Readonly<Record<string, unknown>>;
}

function jsonTexts({ parameters }: Tool, name: string, value: unknown): readonly Issue[] {
  return jsonTextIssues(parameters[name] ?? {}, value, name);
}

function unknownParameter(path: string): Issue {
  return { path, message: 'is not known here. Leave it out' };
}

function suppliedParameter(path: string): Issue {
  return { path, message: 'is supplied by the service and cannot be given with a call. Leave it out' };
}

function copyOf(tool: Tool, given: Record<string, unknown>, rounded: RoundedInteger[]): Record<string, unknown> {
  try {
    return toJsonParameters(given, rounded) as Record<string, unknown>;
  } catch (error) {
    const issues = ToolkitError.is(error) ? (error.details.issues ?? []) : [];
    throw invalid(tool, issues);
  }
}

/** Names computed once from a tool's declarations. */
interface DeclaredNames {
  readonly fixed: readonly string[];
  /** Parameters with a default. */
  readonly defaults: readonly string[];
  /** Values that the service supplies. */
  readonly supplied: readonly string[];
  /** Parameters that accept a value as JSON text. */
  readonly onlyValues: readonly string[];
  /** Parameters that refuse a value as JSON text. */
  readonly withoutJsonText: readonly string[];
  /** Values that a caller may pass by path. */
  readonly references: readonly ParameterReference[];
}

const declaredNames = new WeakMap<Tool, DeclaredNames>();

function namesOf(tool: Tool): DeclaredNames {
  const known = declaredNames.get(tool);
  if (known !== undefined) return known;
  const { parameters, execution, credentials, provider, inputSchema } = tool;
  const members = isPlainObject(inputSchema['properties']) ? inputSchema['properties'] : {};
  const names = Object.keys(parameters);
  const made = {
    fixed: names.filter((name) => parameters[name]?.fixed === true),
    defaults: names.filter((name) => parameters[name]?.default !== undefined),
    supplied: suppliedNames({ execution, credentials, parameters, provider: provider?.definition }),
    onlyValues: Object.keys(members).filter((name) => acceptsNoText(members[name], inputSchema)),
    withoutJsonText: names.filter((name) => refusesJsonText(parameters[name] ?? {})),
    references: referencesAmong(parameters),
  };
  declaredNames.set(tool, made);
  return made;
}

/** Fills in defaults in place: the object is already a copy. */
function withDefaults(
  declared: Readonly<Record<string, Parameter>>,
  defaults: readonly string[],
  given: Record<string, unknown>,
): Record<string, unknown> {
  // A value with its own toJSON may have become something else.
  if (!isPlainObject(given)) return given;
  for (const name of Object.keys(given)) {
    const parameter = given[name] === null ? declared[name] : undefined;
    if (parameter !== undefined && isNullNothing(parameter)) delete given[name];
  }
  for (const name of defaults) if (given[name] === undefined || given[name] === null) given[name] = declared[name]?.default;
  return given;
}

/** Returns the values that the checked parameters pass by path. */
export function referencesIn(tool: Tool, parameters: Readonly<Record<string, unknown>>): readonly ParameterReference[] {
  const { references } = namesOf(tool);
  return references.length === 0 ? references : references.filter(({ by }) => parameters[by] !== undefined);
}

/** Finds values given both directly and by path, or in neither way. Removes defaults of values given by path from `filled`. */
function referenceIssues(
  tool: Tool,
  references: readonly ParameterReference[],
  given: Readonly<Record<string, unknown>>,
  filled: Record<string, unknown>,
): Issue[] {
  return references.flatMap(({ name, by }): Issue[] => {
    if (filled[by] === undefined) {
      const isMissing = filled[name] === undefined && isRequired(tool.definition, name);
      return isMissing ? [{ path: name, message: `is required: give "${name}", or "${by}" to have it read from a file` }] : [];
    }
    // `null` counts as absent, even for a parameter of any type.
    const isTyped = given[name] !== undefined && given[name] !== null;
    if (!isTyped) delete filled[name];
    return isTyped ? [{ path: name, message: `is given twice: give "${name}" or "${by}", not both` }] : [];
  });
}

function invalid(tool: Tool, issues: readonly Issue[]): ToolkitError {
  const shown =
    issues.map(({ path, message }) => (path === '' ? message : `${excerpt(path, 100)} ${excerpt(message, 300)}`)).join('; ') +
    (issues.length < maxIssues ? '' : '; there may be more');
  return new ToolkitError('INVALID_PARAMETERS', sentence(`The parameters of "${tool.name}" are wrong: ${shown}`), {
    tool: tool.name,
    issues: issues.map(({ path, message }) => ({ path: excerpt(path, 100), message: excerpt(message, 300) })),
  });
}
