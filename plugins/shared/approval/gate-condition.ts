import type { ToolDefinition } from '../../../kernel/index.ts';

/** Describes when a tool's gate stops a call, such as `method is POST or PUT`. Undefined when it always does, or when there is no gate. */
export function gateCondition(gate: ToolDefinition['requires_approval']): string | undefined {
  if (typeof gate !== 'object') return undefined;
  const conditions = Object.entries(gate).map(([name, value]) => `${name} is ${alternatives([value].flat().map(valueText))}`);
  return conditions.length === 0 ? undefined : conditions.join(' or ');
}

/** `a, b or c` */
function alternatives(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? 'given') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Formats a value. A text that could be read as something else is quoted. */
function valueText(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[A-Za-z][\w.-]*$/.test(value) && !['true', 'false', 'null'].includes(value);
  return isPlain ? value : JSON.stringify(value);
}
