import { isDeepStrictEqual } from 'node:util';
import { describeValue, isPlainObject } from '../../json/json.ts';
import { didYouMean } from '../../schema/nearest.ts';
import { propertyOf } from '../schema/input-schema.ts';
import type { Parameter } from '../schema/parameter.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import type { Reporter } from './reporter.ts';

/** Reports issues of `requires_approval`: a gate on a missing parameter, or for an impossible value, would never close. */
export function reportGate(definition: ToolDefinition, parameters: Readonly<Record<string, Parameter>>, report: Reporter): void {
  const { requires_approval: gate } = definition;
  if (typeof gate !== 'object') return;
  const known = Object.keys(parameters);
  if (Object.keys(gate).length === 0)
    report.error('/requires_approval', 'is empty. Name the parameter and the value that need approval, or say true');
  for (const [name, value] of Object.entries(gate)) {
    const pointer = `/requires_approval/${name}`;
    const parameter = declaredParameter(definition, parameters, name);
    if (parameter === undefined) report.error(pointer, `names "${name}", which is no parameter.${didYouMean(name, known)}`);
    else reportValues(pointer, value, parameter, report);
  }
}

function reportValues(pointer: string, value: unknown, parameter: Parameter, report: Reporter): void {
  if (Array.isArray(value) && value.length === 0) report.error(pointer, 'is an empty list. Name the values that need approval');
  for (const one of [value].flat()) {
    const expected = expectation(parameter, one);
    if (expected !== undefined)
      report.error(pointer, `names a value that the parameter never has: expected ${expected}, received ${describeValue(one)}`);
  }
}

/** Returns the declared parameter. For an `input_schema`, also with `enum`, which `parametersOf` leaves out. */
function declaredParameter(
  { input_schema: schema }: ToolDefinition,
  parameters: Readonly<Record<string, Parameter>>,
  name: string,
): Parameter | undefined {
  if (!Object.hasOwn(parameters, name)) return undefined;
  return schema === undefined ? parameters[name] : { ...propertyOf(schema, name), ...parameters[name] };
}

/** Returns the expected values of the parameter; undefined when this value is one of them. */
function expectation({ type, enum: values }: Parameter, value: unknown): string | undefined {
  if (Array.isArray(values) && !values.some((known) => isDeepStrictEqual(known, value)))
    return `one of ${values.map((known) => JSON.stringify(known)).join(', ')}`;
  const types = type === undefined ? [] : [type].flat();
  return types.length === 0 || types.some((name) => isOfType(value, name)) ? undefined : types.join(' or ');
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isPlainObject(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
