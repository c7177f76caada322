import type { JsonSchema, Tool } from '../../../kernel/index.ts';
import { generatedValue, type Shape } from './generated-value.ts';
import { paginateOf } from './paginate-of.ts';

interface InputSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** A call to make. */
export interface RequestVariant {
  readonly title: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const whole: Shape = { members: 'all', items: 2, nulls: false, turn: 0 };

/**
 * The calls of a tool: its examples, what is required and nothing else, and everything at once as often as it takes to give each value
 * of every enum. `paginate.limit` is left out: it makes several requests, which are tested elsewhere.
 */
export function requestVariants(tool: Tool): readonly RequestVariant[] {
  const { properties = {} } = tool.inputSchema as InputSchema;
  const limit = paginateOf(tool)?.limit;
  const names = Object.keys(properties).filter((name) => name !== limit);
  const turns = Math.max(2, ...names.map((name) => [properties[name]?.['enum'] ?? []].flat().length));
  const examples = (tool.definition.examples ?? []).filter(({ parameters }) => limit === undefined || parameters[limit] === undefined);
  return [
    ...examples.map(({ description = 'an example', parameters }) => ({ title: `example "${description}"`, parameters })),
    { title: 'only what is required', parameters: requiredCall(tool) },
    ...Array.from({ length: turns }, (_, turn) => ({ title: `everything, turn ${turn}`, parameters: valuesFor(tool, names, turn) })),
  ];
}

/** The parameters of a call that gives what is required and nothing else. */
export function requiredCall(tool: Tool): Readonly<Record<string, unknown>> {
  const { required = [] } = tool.inputSchema as InputSchema;
  return valuesFor(tool, required, 0);
}

function valuesFor(tool: Tool, names: readonly string[], turn: number): Record<string, unknown> {
  const { properties = {} } = tool.inputSchema as InputSchema;
  return Object.fromEntries(names.map((name) => [name, valueFor(properties[name] ?? {}, exampleOf(tool, name), turn)]));
}

/** A value of an enum or a boolean in turn, else what the definition shows, else a generated one. */
function valueFor(schema: JsonSchema, example: unknown, turn: number): unknown {
  if (Array.isArray(schema['enum'])) return schema['enum'][turn % schema['enum'].length];
  if (schema['type'] === 'boolean') return turn % 2 === 0;
  return example ?? schema['default'] ?? generatedValue(schema, { ...whole, turn });
}

function exampleOf({ parameters, definition: { examples = [] } }: Tool, name: string): unknown {
  return parameters[name]?.example ?? examples.map((example) => example.parameters[name]).find((value) => value !== undefined);
}
