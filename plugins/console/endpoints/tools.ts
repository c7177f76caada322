import { excerpt, type Tool } from '../../../kernel/index.ts';
import { codeRoot } from '../../shared/project/layout.ts';
import { displayPath } from '../../shared/terminal/display-path.ts';
import type { ToolDetails, ToolRow } from '../wire/tools.ts';
import type { ConsoleServices, Endpoint } from './endpoint.ts';
import { callFromForm } from './form-call.ts';

/** The tools of the moment, and calls of them from a form. */
export const toolsEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'tools',
    answer: (_request, { kernel, checks }): readonly ToolRow[] =>
      kernel.mask([...kernel.registry.tools.values()].map((tool) => rowOf(tool, cwdOf(checks)))),
  },
  {
    method: 'GET',
    path: 'tools/{name}',
    answer: ({ values: { name = '' } }, { kernel, checks }): ToolDetails =>
      kernel.mask(detailsOf(kernel.registry.get(name), cwdOf(checks))),
  },
  { method: 'POST', path: 'tools/{name}/call', answer: callFromForm },
];

/** Returns a tool with the beginning of its description: the list may have thousands. */
function rowOf(tool: Tool, cwd: string): ToolRow {
  const { name, description, provider, risk, definition } = tool;
  return {
    name,
    description: excerpt(description),
    ...(provider === undefined ? {} : { provider: provider.name }),
    risk,
    requiresApproval: definition.requires_approval === true,
    from: sourceOf(tool, cwd),
  };
}

function cwdOf(checks: ConsoleServices['checks']): string {
  return checks?.cwd ?? process.cwd();
}

/**
 * Returns the place of a definition, the nearest first: a source, a package, a file, or the plugin that made it. A file of the project is relative, and
 * one that comes with this program is `toolkit`.
 */
function sourceOf({ origin: { source, package: from, file, plugin } }: Tool, cwd: string): string {
  if (source !== undefined || from !== undefined || file === undefined) return source?.name ?? from?.name ?? plugin;
  const shown = displayPath(file, cwd);
  return shown === file && displayPath(file, codeRoot()) !== file ? 'toolkit' : shown;
}

/** Returns a tool with the schema that its calls are checked against. Neither credentials nor the proof of an approval are in it. */
function detailsOf(tool: Tool, cwd: string): ToolDetails {
  const { description, inputSchema, outputSchema, definition } = tool;
  const examples = (definition.examples ?? []).map(({ parameters, description: purpose }) => ({
    parameters,
    ...(purpose === undefined ? {} : { description: purpose }),
  }));
  return { ...rowOf(tool, cwd), description, inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }), examples };
}
