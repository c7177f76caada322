import { isPlainObject, type JsonSchema, type Tool } from '../../../kernel/index.ts';

/** The schema that each result of the tool keeps; undefined where results that do not fit are let through (`output_check: warn`). */
export function keptSchema({ outputSchema, definition }: Pick<Tool, 'outputSchema' | 'definition'>): JsonSchema | undefined {
  return 'output_check' in definition && definition.output_check === 'warn' ? undefined : outputSchema;
}

/** The output where it is sent as data beside what is shown: MCP has objects only (Tools, Output Schema). Undefined otherwise. */
export function structuredOutput(
  tool: Pick<Tool, 'outputSchema' | 'definition'> | undefined,
  output: unknown,
): Record<string, unknown> | undefined {
  if (tool === undefined || keptSchema(tool)?.['type'] !== 'object') return undefined;
  return isPlainObject(output) ? output : undefined;
}
