import { isNullNothing, type Parameter } from '../definition/parameter.ts';
import { type ParameterReference, referencesAmong } from '../definition/parameter-references.ts';
import { suppliedNames } from '../definition/supplied-names.ts';
import type { Tool } from '../definition/tool.ts';
import { excerpt, type Issue, sentence, ToolkitError } from '../errors.ts';
import { checkValue } from '../schema/check-value.ts';
import { maxIssues } from '../schema/cost.ts';
import { freezeInSlices, inSlices } from '../schema/in-slices.ts';
import { atOnce, deepFreeze, describeValue, isLarge, isPlainObject, type RoundedInteger, toJsonParameters } from '../schema/json.ts';
import { exactIssues } from './exact-issues.ts';
import { jsonTextIssues, refusesJsonText } from './json-text-issues.ts';
import { acceptsNoText, textsAsValues } from './texts-as-values.ts';

/** The giver of parameters: a model, host code, or a step of the call that has changed them. */
export type ParametersFrom = 'model' | 'host' | 'step';

/**
 * The parameters of a call, checked: a frozen copy, with defaults filled in and `null` for an optional parameter taken as not given. Callers give
 * no fixed values, and models no values that the service supplies; steps of the call may have changed them. Throws INVALID_PARAMETERS with every
 * problem at once.
 */
export function checkParameters(tool: Tool, parameters: unknown, from: ParametersFrom): Readonly<Record<string, unknown>> {
  const object = objectOf(tool, parameters);
  const rounded: RoundedInteger[] = [];
  return deepFreeze(fitting(tool, object, copyOf(tool, object, rounded), { from, rounded }));
}

/** The same for large ones, in slices. */
export async function checkParametersInSlices(
  tool: Tool,
  given: unknown,
  from: ParametersFrom,
): Promise<Readonly<Record<string, unknown>>> {
  const object = objectOf(tool, given);
  const rounded: RoundedInteger[] = [];
  const inParts = inSlices<unknown>(object, (part) => toJsonParameters(part, rounded));
  const copy = await Promise.resolve(inParts).catch(() => copyOf(tool, object, []));
  // Of a part the path is not that in the whole.
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

/** The giver of parameters, and the numbers among them that may have been rounded. */
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
 * The parameters with each text read that stands where an object or a list is declared, and no text: some clients send lists and objects so. The same
 * parameters where there is none.
 */
export function withTextsRead(tool: Tool, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { onlyValues } = namesOf(tool);
  // Plain texts and numbers of a tool that takes no more cost nothing.
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

/** Worked out once of what a tool declares. */
interface DeclaredNames {
  readonly fixed: readonly string[];
  /** The names of parameters with a default. */
  readonly defaults: readonly string[];
  /** The names of values that the service fills in. */
  readonly supplied: readonly string[];
  /** The names of parameters in which a text that is JSON may stand for a value. */
  readonly onlyValues: readonly string[];
  /** The names of parameters in which such a text is refused. */
  readonly withoutJsonText: readonly string[];
  /** Values that may come by a path. */
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

/** Changes what is given, which is a copy. */
function withDefaults(
  declared: Readonly<Record<string, Parameter>>,
  defaults: readonly string[],
  given: Record<string, unknown>,
): Record<string, unknown> {
  // Something else may have written itself as JSON.
  if (!isPlainObject(given)) return given;
  for (const name of Object.keys(given)) {
    const parameter = given[name] === null ? declared[name] : undefined;
    if (parameter !== undefined && isNullNothing(parameter)) delete given[name];
  }
  for (const name of defaults) if (given[name] === undefined || given[name] === null) given[name] = declared[name]?.default;
  return given;
}

/** Returns the values that checked parameters name by path. */
export function referencesIn(tool: Tool, parameters: Readonly<Record<string, unknown>>): readonly ParameterReference[] {
  const { references } = namesOf(tool);
  return references.length === 0 ? references : references.filter(({ by }) => parameters[by] !== undefined);
}

/** Finds values that came twice, or that came neither by themselves nor by a path. Takes defaults of those that a path names out of `filled`. */
function referenceIssues(
  tool: Tool,
  references: readonly ParameterReference[],
  given: Readonly<Record<string, unknown>>,
  filled: Record<string, unknown>,
): Issue[] {
  return references.flatMap(({ name, by }): Issue[] => {
    if (filled[by] === undefined) {
      const isMissing = filled[name] === undefined && tool.definition.parameters?.[name]?.required === true;
      return isMissing ? [{ path: name, message: `is required: give "${name}", or "${by}" to have it read from a file` }] : [];
    }
    // Whoever says null has none, also where any value is taken.
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
