import { isPlainObject, type JsonSchema, type Tool } from '../../../kernel/index.ts';
import { outputCheckOf } from './output-check.ts';

/** Returns the schema that every result of a tool satisfies. Undefined when results that do not fit are let through (`output_check: warn`, `off`). */
export function keptSchema(tool: Pick<Tool, 'outputSchema' | 'definition' | 'origin'>): JsonSchema | undefined {
  return outputCheckOf(tool) === 'error' ? tool.outputSchema : undefined;
}

/** Returns the output as structured content, which MCP allows for objects only (Tools, Output Schema). Undefined otherwise. */
export function structuredOutput(
  tool: Pick<Tool, 'outputSchema' | 'definition' | 'origin'> | undefined,
  output: unknown,
): Record<string, unknown> | undefined {
  if (tool === undefined || keptSchema(tool)?.['type'] !== 'object') return undefined;
  return isPlainObject(output) ? output : undefined;
}
