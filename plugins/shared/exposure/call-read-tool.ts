import type { ToolDefinition } from '../../../kernel/index.ts';
import { type ForwardedCall, type ForwardingContext, forwardCall } from './forward-call.ts';

/**
 * The tool that calls read-only tools, for hosts that list few tools to a model: a client may allow it permanently. Such a host adds it in
 * `discover`.
 */
export const callReadTool = {
  name: 'toolkit_call_read_tool',
  description:
    'Calls a tool that only reads, such as the hits of toolkit_search_tools with read_only: true. The others are refused: call them with toolkit_call_tool.',
  parameters: {
    name: { type: 'string', required: true, minLength: 1, maxLength: 64, description: 'Name of the tool.' },
    arguments: {
      type: 'object',
      required: true,
      additionalProperties: true,
      description: 'Its arguments, as its signature or toolkit_get_tool shows them; {} for none.',
    },
  },
  execution: { type: 'function', handler: callReading, timeout_ms: 600_000 },
  output_schema: {
    type: 'object',
    properties: { output: { description: 'What the called tool gave: any JSON value' } },
    required: ['output'],
  },
  risk: 'low',
  annotations: { readOnlyHint: true },
  listed: 'search',
  tags: ['tools', 'call', 'read'],
} as const satisfies Omit<ToolDefinition, 'parameters' | 'execution' | 'annotations'> & Readonly<Record<string, unknown>>;

async function callReading(call: ForwardedCall, context: ForwardingContext): Promise<unknown> {
  const { annotations, definition, name } = context.tools.get(call.name);
  const gate = definition.requires_approval ?? false;
  if (annotations.readOnlyHint === true && gate === false) return forwardCall(call, context);
  throw context.error(
    'INVALID_PARAMETERS',
    gate === false
      ? `"${name}" may change something, and toolkit_call_read_tool calls only tools that read. Call it with toolkit_call_tool.`
      : `"${name}" requires approval, and toolkit_call_read_tool calls only tools that need none. Call it with toolkit_call_tool.`,
  );
}
