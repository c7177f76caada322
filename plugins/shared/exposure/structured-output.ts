import { isPlainObject, type Tool } from '../../../kernel/index.ts';

/** The output where it is sent as data beside what is shown: MCP has objects only (Tools, Output Schema). Undefined otherwise. */
export function structuredOutput(tool: Pick<Tool, 'outputSchema'> | undefined, output: unknown): Record<string, unknown> | undefined {
  return tool?.outputSchema?.['type'] === 'object' && isPlainObject(output) ? output : undefined;
}
