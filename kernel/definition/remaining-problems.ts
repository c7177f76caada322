import type { Issue } from '../errors.ts';
import { isPlainObject } from '../schema/json.ts';
import type { Origin } from './check-definition.ts';
import { type LinkOptions, linkTool } from './link.ts';
import type { Problem } from './problem.ts';
import type { Provider } from './tool.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { withoutInvalidParts } from './without-invalid-parts.ts';

/** What is wrong beside what the schema of a definition refuses, so that nobody corrects one mistake after the other. */
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

/** Stands for what a tool must say. */
const placeholder = { name: 'unsaid', description: 'unsaid' };

/** So that a call of a tool that was refused can say why. */
export function named(problem: Problem, definition: unknown): Problem {
  const name = isPlainObject(definition) ? definition['name'] : undefined;
  return typeof name === 'string' ? { ...problem, tool: name } : problem;
}
