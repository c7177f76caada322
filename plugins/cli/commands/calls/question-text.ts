import type { ApprovalQuestion } from '../../../../kernel/index.ts';
import { terminalLines } from '../../../shared/text/visible-text.ts';

/** A question as a person reads it in a terminal: tool, destination, parameters and why it is asked, then its digest. */
export function questionText({ message, digest }: ApprovalQuestion): string {
  const lines = message.split('\n').filter((line) => line !== '```');
  return `${terminalLines(lines.join('\n'))}\ndigest: ${digest}\n`;
}
