import type { Issue } from '../../errors.ts';
import { isPlainObject } from '../../json/json.ts';
import { withoutInvalidParts } from '../check/without-invalid-parts.ts';
import type { Origin } from '../schema/origin.ts';
import type { Problem } from '../schema/problem.ts';
import type { Provider } from '../schema/tool.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import { type LinkOptions, linkTool } from './link.ts';

/** Finds problems besides those of the schema, so that an author sees all of them at once. */
export function remainingProblems(
  definition: unknown,
  issues: readonly Issue[] | undefined,
  origin: Origin,
  provider: Provider | undefined,
  options: LinkOptions,
): readonly Problem[] {
  const rest =
    issues === undefined ? undefined : withoutInvalidParts<ToolDefinition>(options.keys.toolSchema, definition, issues, placeholder);
  if (rest === undefined) return [];
  return linkTool(rest, origin, provider, options).problems.map(({ tool: _tool, ...problem }) => named(problem, definition));
}

/** Placeholder values for missing required keys. */
const placeholder = { name: 'unsaid', description: 'unsaid' };

/** Adds the tool's name, so that a call of the refused tool can report the problem. */
export function named(problem: Problem, definition: unknown): Problem {
  const name = isPlainObject(definition) ? definition['name'] : undefined;
  return typeof name === 'string' ? { ...problem, tool: name } : problem;
}
