import { type CallOutput, isPlainObject, type JsonValue, type Terminal } from '../../../kernel/index.ts';
import { terminalLines } from '../text/visible-text.ts';
import type { Output } from './output.ts';
import { resultTable } from './result-table.ts';

/**
 * Formats the result of `toolkit run`. Without a format, a terminal shows tables and texts, everything else gets JSON.
 * In a terminal, JSON has escapes in place of invisible characters.
 */
export async function resultText(
  { output, content = [] }: Pick<CallOutput, 'output' | 'content'>,
  terminal: Terminal,
  format: Output | undefined,
): Promise<string> {
  if (format === 'raw') return typeof output === 'string' ? output : `${JSON.stringify(output)}\n`;
  if (format === 'table') return resultTable(output, terminal);
  if (format === 'json' || !terminal.isTerminal) return json(output, terminal);
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length > 0) return `${terminalLines(texts.join('\n'))}\n`;
  return isTable(output) || typeof output === 'string' ? resultTable(output, terminal) : json(output, terminal);
}

/** True for a list of objects, or an object of simple values. */
function isTable(output: JsonValue): boolean {
  if (Array.isArray(output)) return output.length > 0 && output.every(isPlainObject);
  return isPlainObject(output) && Object.keys(output).length > 0 && Object.values(output).every((value) => !isNested(value));
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function json(output: JsonValue, { isTerminal }: Terminal): string {
  const text = JSON.stringify(output, null, 2);
  return `${isTerminal ? terminalLines(text) : text}\n`;
}
