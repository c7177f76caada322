import { attempt } from '../check/attempt.ts';
import { checkDefinition } from '../check/check-definition.ts';
import { createReporter } from '../check/reporter.ts';
import { type LinkOptions, linkTool } from '../link/link.ts';
import { remainingProblems } from '../link/remaining-problems.ts';
import type { Origin } from '../schema/origin.ts';
import type { Problem } from '../schema/problem.ts';
import type { Tool } from '../schema/tool.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import { isInNamespace } from './namespace.ts';
import { takenName } from './owners.ts';
import type { Registry } from './registry.ts';
import { foldersOf, providerOf } from './tool-provider.ts';

/** Adds warnings about a valid tool. `pointer` (RFC 6901) is the path in its definition. */
export type Advise = (tool: Tool, warn: (pointer: string, message: string) => void) => void;

/** Checks a definition as if it were added to a registry. Returns its problems. */
export function checkTool(
  definition: unknown,
  origin: Origin,
  registry: Registry,
  options: LinkOptions,
  advise?: Advise,
): readonly Problem[] {
  const problems: Problem[] = [];
  attempt(origin, problems, () => {
    const checked = checkDefinition<ToolDefinition>(options.keys.toolSchema, definition, origin);
    problems.push(...checked.problems);
    const provider = providerOf({ origin }, registry.providers, foldersOf(registry.providers));
    if (checked.value === undefined) {
      problems.push(...remainingProblems(definition, checked.issues, origin, provider, options));
      return;
    }
    const { tool, problems: found } = linkTool(checked.value, origin, provider, options);
    problems.push(...found);
    const twin = tool === undefined ? undefined : registry.tools.get(tool.name);
    if (tool !== undefined && twin !== undefined && twin.origin.file !== origin.file)
      problems.push(takenName('tool', tool.name, origin, twin.origin));
    const source = tool === undefined ? undefined : registry.sources.find((name) => isInNamespace(tool.name, name));
    if (tool !== undefined && source !== undefined && twin === undefined) {
      const message = `the name "${tool.name}" belongs to the source "${source}": nothing else may begin with "${source}_". Give it another name`;
      problems.push({ severity: 'error', code: 'TOOL_DUPLICATE', plugin: origin.plugin, tool: tool.name, path: 'name', message });
    }
    if (tool === undefined || advise === undefined) return;
    const report = createReporter(checked.value, origin);
    advise(tool, report.warning);
    problems.push(...report.problems);
  });
  return problems;
}
