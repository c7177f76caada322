import type { ParameterReference } from '../../definition/check/parameter-references.ts';
import type { Tool } from '../../definition/schema/tool.ts';
import { ToolkitError } from '../../errors.ts';
import type { OwnMasking } from '../../secrets/call-masking.ts';
import type { CallContext } from '../context/context.ts';
import type { CallServices } from '../context/services.ts';
import type { Call } from '../draft.ts';
import { referencesIn, sizeOf } from './check-parameters.ts';
import { largeParameters, smallParameters } from './parameter-work.ts';

/**
 * Returns the call with the values of parameters given by path. Only the executor gets the values; approvals and records keep the
 * paths. Values pass the same checks as typed ones. Throws INVALID_PARAMETERS for an invalid value, and the errors of `read`.
 */
export async function readReferences(call: Call, context: CallContext, services: CallServices, own: OwnMasking): Promise<Call> {
  const { tool, parameters } = call;
  const read = services.extensions.readReference;
  if (read === undefined) {
    const message = `No plugin reads the values that a call of "${tool.name}" gives by path. Add confinePaths(), or give the value itself.`;
    throw new ToolkitError('EXECUTOR_NOT_FOUND', message, { tool: tool.name });
  }
  // A value may contain secrets unknown to the caller, even for a pure tool.
  own.masking?.taint();
  const references = referencesIn(tool, parameters);
  const values = new Map<string, unknown>();
  const streams = new Map<string, unknown>();
  for (const reference of references) {
    const value = await read(reference, call, context);
    (tool.parameters[reference.name]?.streamed === true ? streams : values).set(reference.name, value);
  }
  // A stream has no value yet; its path is checked instead.
  const paths = new Set(references.filter(({ name }) => values.has(name)).map(({ by }) => by));
  const others = Object.entries(parameters).filter(([name]) => !paths.has(name));
  const checked = await check(tool, { ...Object.fromEntries(others), ...Object.fromEntries(values) }, references);
  const remaining = Object.entries(checked).filter(([name]) => !references.some(({ by }) => by === name));
  return Object.freeze({ ...call, parameters: Object.freeze({ ...Object.fromEntries(remaining), ...Object.fromEntries(streams) }) });
}

/** Checks parameters with some values already read. */
async function check(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  references: readonly ParameterReference[],
): Promise<Readonly<Record<string, unknown>>> {
  const work = sizeOf(tool, given) === 'large' ? largeParameters : smallParameters;
  try {
    await work.refuseCostly(tool, given);
    return await work.check(tool, given, 'step');
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    const from = references.map(({ name, by }) => `"${name}" was read from ${by}`).join(', ');
    throw new ToolkitError(error.code, `${error.message} Of these, ${from}.`, error.details, { cause: error });
  }
}
