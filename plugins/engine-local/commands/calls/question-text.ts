import type { ApprovalQuestion } from '../../../../kernel/index.ts';
import { terminalLines } from '../../../shared/text/visible-text.ts';

/** Formats an approval question for the terminal: tool, destination, parameters and reason, then the digest. */
export function questionText({ message, digest }: ApprovalQuestion): string {
  const lines = message.split('\n').filter((line) => line !== '```');
  return `${terminalLines(lines.join('\n'))}\ndigest: ${digest}\n`;
}
