import type { Tool } from '../../kernel/index.ts';

/** Returns the description of a tool that clients receive. */
export function describeTool(tool: Tool): object {
  const { name, description, definition, provider, risk, inputSchema, outputSchema, annotations, credentials, origin } = tool;
  return {
    name,
    description,
    version: definition.version,
    provider: provider?.name,
    risk,
    tags: definition.tags ?? [],
    requires_approval: definition.requires_approval ?? false,
    is_draft: definition.status === 'draft',
    input_schema: inputSchema,
    output_schema: outputSchema,
    annotations,
    credentials: credentials.map((need) => ({ name: need.name, required: need.required })),
    origin: { plugin: origin.plugin, file: origin.file, package: origin.package?.name, source: origin.source?.name },
  };
}
