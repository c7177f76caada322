import { isPlainObject, type JsonSchema, type Tool } from '../../../kernel/index.ts';

/** Returns the schema that every result of a tool satisfies. Undefined when results that do not fit are let through (`output_check: warn`). */
export function keptSchema({ outputSchema, definition }: Pick<Tool, 'outputSchema' | 'definition'>): JsonSchema | undefined {
  return 'output_check' in definition && definition.output_check === 'warn' ? undefined : outputSchema;
}

/** Returns the output as structured content, which MCP allows for objects only (Tools, Output Schema). Undefined otherwise. */
export function structuredOutput(
  tool: Pick<Tool, 'outputSchema' | 'definition'> | undefined,
  output: unknown,
): Record<string, unknown> | undefined {
  if (tool === undefined || keptSchema(tool)?.['type'] !== 'object') return undefined;
  return isPlainObject(output) ? output : undefined;
}
