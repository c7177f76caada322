import type { Issue, JsonSchema, ToolDefinition } from '../../kernel/index.ts';
import type { Continuation } from './continues.ts';
import { segmentsOf } from './members.ts';

/** Returns issues for `continues`: members that the output does not have, parameters that the tool does not take. */
export function checkContinues(
  value: Continuation | readonly Continuation[],
  { definition }: { readonly definition: ToolDefinition },
): readonly Issue[] {
  const { output_schema: schema, parameters } = definition;
  const entries = [value].flat() as readonly Continuation[];
  return entries.flatMap((entry, index): Issue[] => {
    const pointer = `/continues${Array.isArray(value) ? `/${index}` : ''}`;
    const named =
      entry.by === 'offset' ? { when: entry.when, from: entry.from, ...entry.with } : entry.when === undefined ? {} : { when: entry.when };
    const missing = Object.entries(named).filter(([, member]) => !hasMember(schema, segmentsOf(member)));
    const issues = missing.map(([key, member]) => ({
      path: 'continues',
      pointer: `${pointer}/${key}`,
      message: `names the member "${member}", which is not in output_schema`,
    }));
    if (entry.by === 'output' || entry.tool !== undefined) return issues;
    const unknownParameters = [entry.parameter, ...Object.keys(entry.with ?? {})].filter((name) => !Object.hasOwn(parameters ?? {}, name));
    return [
      ...issues,
      ...unknownParameters.map((name) => ({
        path: 'continues',
        pointer,
        message: `names the parameter "${name}", which the tool does not take`,
      })),
    ];
  });
}

function hasMember(schema: unknown, segments: readonly string[]): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const [first, ...rest] = segments;
  if (first === undefined) return true;
  const { $ref, properties, items, oneOf, anyOf, allOf } = schema as JsonSchema;
  // A reference is checked when values are checked.
  if ($ref !== undefined) return true;
  const next = first === '*' ? items : (properties as JsonSchema | undefined)?.[first];
  return hasMember(next, rest) || [oneOf, anyOf, allOf].some((all) => Array.isArray(all) && all.some((one) => hasMember(one, segments)));
}
