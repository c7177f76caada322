import {
  checkValue,
  excerpt,
  type Issue,
  isPlainObject,
  type JsonSchema,
  messageOf,
  pointerSegments,
  type Tool,
} from '../../../../kernel/index.ts';
import { escapeSegment, parameterPointer } from './parameter-pointer.ts';
import type { ReportRule } from './rules.ts';

/** Reports problems that a call would run into: invalid schemas, and defaults and examples that do not fit them. */
export function checkValues(tool: Tool, report: ReportRule): void {
  const input = failureOf(() => checkInput(tool, report));
  if (input !== undefined) for (const pointer of unusableInputs(tool)) report('invalid-schema', pointer, input);
  const output = failureOf(() => checkOutput(tool, report));
  if (output !== undefined) report('invalid-schema', '/output_schema', output);
}

function checkInput({ definition, parameters, inputSchema }: Tool, report: ReportRule): void {
  checkValue(inputSchema, {});
  for (const [name, { default: value, fixed }] of Object.entries(parameters)) {
    const wrong =
      value === undefined || fixed === true
        ? []
        : checkValue(inputSchema, { [name]: value }).filter((issue) => parameterOf(issue) === name);
    const own = `/${escapeSegment(name)}`;
    for (const { pointer = own, message } of wrong)
      report('invalid-default', `${parameterPointer(definition, name, 'default')}/default${pointer.slice(own.length)}`, message);
  }
  for (const [index, example] of (definition.examples ?? []).entries()) {
    const isFilledIn = (issue: Issue): boolean => {
      const name = parameterOf(issue);
      const { default: byDefault, required, type } = parameters[name] ?? {};
      const given = example.parameters[name];
      return given === undefined ? byDefault !== undefined : given === null && required !== true && type !== undefined;
    };
    for (const issue of checkValue(inputSchema, example.parameters))
      if (!isFilledIn(issue)) report('invalid-example', `/examples/${index}/parameters${issue.pointer ?? ''}`, issue.message);
  }
}

function checkOutput({ definition, outputSchema }: Tool, report: ReportRule): void {
  if (outputSchema === undefined) return;
  checkValue(outputSchema, null);
  for (const [index, { output }] of (definition.examples ?? []).entries())
    for (const { pointer = '', message } of output === undefined ? [] : checkValue(outputSchema, output))
      report('invalid-example', `/examples/${index}/output${pointer}`, message);
}

/** Returns why a schema cannot be used; undefined when it can. */
function failureOf(use: () => void): string | undefined {
  try {
    use();
    return undefined;
  } catch (error) {
    return error instanceof RangeError ? 'refers to itself without an end' : `cannot be used: ${excerpt(messageOf(error))}`;
  }
}

/** Finds the parameters whose own schema cannot be used. An `input_schema` is reported as a whole, since its parts may refer to each other. */
function unusableInputs({ definition, inputSchema }: Tool): readonly string[] {
  if (definition.input_schema !== undefined) return ['/input_schema'];
  const members = isPlainObject(inputSchema['properties']) ? Object.entries(inputSchema['properties']) : [];
  const broken = members.filter(([, schema]) => failureOf(() => checkValue(schema as JsonSchema, null)) !== undefined);
  return broken.map(([name]) => parameterPointer(definition, name));
}

function parameterOf({ pointer = '' }: Issue): string {
  return pointerSegments(pointer)[0] ?? '';
}
