import { type Call, excerpt, type Lookup, placeholdersIn, refuseValue, ToolkitError } from '../../../kernel/index.ts';
import { encodingsOf, type HttpExecution } from '../definition/execution.ts';

/**
 * Returns the execution with the body type that the call chooses, or the execution itself where it has no `body_types`. Throws
 * INVALID_PARAMETERS for another value, and for a parameter that only another type uses.
 */
export function chooseBody(execution: HttpExecution, call: Pick<Call, 'tool' | 'parameters'>, lookup: Lookup): HttpExecution {
  const { body_types: bodyTypes, ...rest } = execution;
  if (bodyTypes === undefined) return execution;
  const { parameter_encoding: _encodings, ...shared } = rest;
  const { parameter, types } = bodyTypes;
  const keys = Object.keys(types);
  const type = lookup(parameter) ?? keys[0];
  const content = typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined;
  if (typeof type !== 'string' || content === undefined) return refuseValue(parameter, `one of ${keys.join(', ')}`);
  const used = new Set([parameter, ...namesIn([shared, content], execution)]);
  for (const name of namesIn(types, execution)) {
    if (used.has(name) || !isGivenByCaller(name, call)) continue;
    const others = keys.filter((key) => namesIn(types[key], execution).includes(name));
    throw foreignParameterError({ name, others, parameter, type });
  }
  // Writes its type itself, with the boundary.
  const headers = content.multipart === undefined ? { ...rest.headers, 'Content-Type': type } : rest.headers;
  return { ...rest, ...content, body_types: bodyTypes, ...(headers === undefined ? {} : { headers }) };
}

/** Returns the placeholders of a template, with the parameters from which they are computed. */
function namesIn(template: unknown, execution: HttpExecution): readonly string[] {
  const encodings = encodingsOf(execution);
  return placeholdersIn(template).flatMap((name) => encodings.find(({ target }) => target === name)?.source ?? [name]);
}

/** True for a value of the call. A default is no wish of the caller. */
function isGivenByCaller(name: string, { tool, parameters }: Pick<Call, 'tool' | 'parameters'>): boolean {
  if (!Object.hasOwn(parameters, name) || parameters[name] === undefined) return false;
  const declared = Object.hasOwn(tool.parameters, name) ? tool.parameters[name] : undefined;
  return declared?.default === undefined && declared?.default_from === undefined;
}

function foreignParameterError(of: { name: string; others: readonly string[]; parameter: string; type: string }): ToolkitError {
  const others = of.others.join('" or "');
  const message = `belongs to the body type "${others}", but this call sends "${excerpt(of.type)}"`;
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `Parameter "${of.name}" ${message}. Leave it out, or give ${of.parameter}: "${of.others[0]}".`,
    { issues: [{ path: of.name, message }] },
  );
}
