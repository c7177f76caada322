import { isNullNothing, type Parameter } from './definition/parameter.ts';
import type { Tool } from './definition/tool.ts';
import { excerpt, type Issue, sentence, ToolkitError } from './errors.ts';
import { checkValue } from './schema/check-value.ts';
import { maxIssues } from './schema/cost.ts';
import { describeValue, isPlainObject, toJsonValue } from './schema/json.ts';

/**
 * The parameters of a call, checked: a copy, with defaults filled in and `null` for an optional parameter taken as not given. Callers give
 * no fixed values, steps of the call may have changed them. Throws INVALID_PARAMETERS with every problem at once.
 */
export function checkParameters(tool: Tool, given: unknown, isCallers: boolean): Readonly<Record<string, unknown>> {
  if (!isPlainObject(given)) throw invalid(tool, [{ path: '', message: `expected an object, received ${describeValue(given)}` }]);
  const parameters = withDefaults(tool.parameters, copyOf(tool, given));
  const fixed = Object.keys(tool.parameters).filter((name) => tool.parameters[name]?.fixed === true);
  const shown = fixed.length === 0 ? parameters : Object.fromEntries(Object.entries(parameters).filter(([name]) => !fixed.includes(name)));
  const strange = isCallers ? fixed.filter((name) => Object.hasOwn(given, name)).map(unknownParameter) : [];
  const issues = [...checkValue(tool.inputSchema, shown), ...strange].slice(0, maxIssues);
  if (issues.length > 0) throw invalid(tool, issues);
  return parameters;
}

/**
 * True for parameters that callers may give and that have no members: nothing stands in them under a name that the tool does not take. A
 * credential that a tool declares is none of these.
 */
export function isPlain({ inputSchema }: Tool, given: Readonly<Record<string, unknown>>): boolean {
  const { properties = {} } = inputSchema;
  return Object.entries(given).every(([name, value]) => typeof value !== 'object' && Object.hasOwn(properties as object, name));
}

function unknownParameter(path: string): Issue {
  return { path, message: 'is not known here. Leave it out' };
}

function copyOf(tool: Tool, given: Record<string, unknown>): Record<string, unknown> {
  try {
    return toJsonValue(given) as Record<string, unknown>;
  } catch (error) {
    const issues = ToolkitError.is(error) ? (error.details.issues ?? []) : [];
    throw invalid(tool, issues);
  }
}

function withDefaults(declared: Readonly<Record<string, Parameter>>, given: Record<string, unknown>): Record<string, unknown> {
  const isLacking = (name: string): boolean => given[name] === undefined || given[name] === null;
  // Most calls give what they give, and leave nothing out that has a default.
  if (
    !Object.keys(given).some(isLacking) &&
    !Object.keys(declared).some((name) => declared[name]?.default !== undefined && isLacking(name))
  )
    return given;
  const isNothing = (parameter: Parameter | undefined): boolean => parameter !== undefined && isNullNothing(parameter);
  const kept = Object.entries(given).filter(([name, value]) => !(value === null && isNothing(declared[name])));
  const defaults = Object.entries(declared)
    .filter(([name, parameter]) => parameter.default !== undefined && isLacking(name))
    .map(([name, parameter]) => [name, parameter.default] as const);
  return Object.fromEntries([...kept, ...defaults]);
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
