import { excerpt, type Tool } from '../../../kernel/index.ts';
import type { ToolDetails, ToolRow } from '../wire/tools.ts';
import type { Endpoint } from './endpoint.ts';
import { callFromForm } from './form-call.ts';

/** The tools of the moment, and calls of them from a form. */
export const toolsEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'tools',
    answer: (_request, { kernel }): readonly ToolRow[] => kernel.mask([...kernel.registry.tools.values()].map(rowOf)),
  },
  {
    method: 'GET',
    path: 'tools/{name}',
    answer: ({ values: { name = '' } }, { kernel }): ToolDetails => kernel.mask(detailsOf(kernel.registry.get(name))),
  },
  { method: 'POST', path: 'tools/{name}/call', answer: callFromForm },
];

/** Returns a tool with the beginning of its description: the list may have thousands. */
function rowOf(tool: Tool): ToolRow {
  const { name, description, provider, risk, definition } = tool;
  return {
    name,
    description: excerpt(description),
    ...(provider === undefined ? {} : { provider: provider.name }),
    risk,
    requiresApproval: definition.requires_approval === true,
    from: sourceOf(tool),
  };
}

/** Returns the place of a definition, the nearest first: a source, a package, a file, or the plugin that made it. */
function sourceOf({ origin: { source, package: from, file, plugin } }: Tool): string {
  return source?.name ?? from?.name ?? file ?? plugin;
}

/** Returns a tool with the schema that its calls are checked against. Neither credentials nor the proof of an approval are in it. */
function detailsOf(tool: Tool): ToolDetails {
  const { description, inputSchema, outputSchema, definition } = tool;
  const examples = (definition.examples ?? []).map(({ parameters, description: purpose }) => ({
    parameters,
    ...(purpose === undefined ? {} : { description: purpose }),
  }));
  return { ...rowOf(tool), description, inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }), examples };
}
