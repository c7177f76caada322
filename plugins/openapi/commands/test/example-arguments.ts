import { isPlainObject, type JsonObject, type JsonSchema, type JsonValue } from '../../../../kernel/index.ts';
import type { GeneratedTool } from '../../generate/generated.ts';
import type { ToolParameter } from '../../generate/tool-parameters.ts';
import { sampleValue } from '../../mock/sample-value.ts';
import type { Operation } from '../../operations/operation.ts';

/** Arguments of one call. */
export interface ExampleArguments {
  readonly values: JsonObject;
  /** The parameters whose value the document does not have. */
  readonly madeUp: readonly string[];
}

/**
 * Returns arguments for a tool: the examples of its document, and made-up values for required parameters without one. `needs a file` where a required
 * parameter is the path of a file.
 */
export function exampleArguments(
  { definition, operation, parameters = [] }: GeneratedTool,
  definitions: Readonly<Record<string, JsonSchema>>,
): ExampleArguments | 'needs a file' {
  const madeUp: string[] = [];
  const schema = definition['input_schema'] as JsonSchema;
  const overlay = (definition['parameters'] ?? {}) as JsonObject;
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const values: [string, JsonValue][] = [];
  const isBodyGiven = operation.body?.isRequired === true || bodyExample(operation) !== undefined;
  for (const parameter of parameters) {
    const { name, place } = parameter;
    const isFile = Object.hasOwn(overlay, name) && 'path' in (overlay[name] as object);
    if (isFile && required.has(name)) return 'needs a file';
    if (isFile || place === 'tool' || (place === 'body' && !isBodyGiven)) continue;
    const example = exampleOf(operation, parameter);
    const property = (schema['properties'] as JsonObject)[name];
    if (example !== undefined) values.push([name, example]);
    else if (required.has(name)) {
      values.push([name, sampleValue(property, definitions, { isRequiredOnly: true })]);
      madeUp.push(name);
    }
  }
  return { values: Object.fromEntries(values), madeUp };
}

function exampleOf(operation: Operation, { sentAs, place }: ToolParameter): JsonValue | undefined {
  if (place !== 'body') {
    const parameter = operation.parameters.find((one) => one.in === place && one.name === sentAs);
    return parameter?.examples[0] as JsonValue | undefined;
  }
  const example = bodyExample(operation);
  if (sentAs === 'body' && !(isPlainObject(example) && Object.hasOwn(example, 'body'))) return example;
  return isPlainObject(example) && Object.hasOwn(example, sentAs) ? (example[sentAs] as JsonValue) : undefined;
}

function bodyExample({ body }: Operation): JsonValue | undefined {
  return body?.contents.map(({ examples }) => examples[0]).find((example) => example !== undefined) as JsonValue | undefined;
}
