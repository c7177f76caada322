import { visibleText } from '../../../../shared/text/visible-text.ts';
import type { Client } from '../clients/clients.ts';
import type { WriteResult } from '../clients/write-entry.ts';

/** Reports what was written to a file. */
export function reportWrite({ file, backup, isChanged }: WriteResult): string {
  if (!isChanged) return `${visibleText(file)} is up to date: nothing was changed.\n`;
  return `Wrote ${visibleText(file)}.\n${backup === undefined ? '' : `The former version is in ${visibleText(backup)}.\n`}`;
}

/** Lists the next steps for the user. */
export function nextSteps(clients: readonly Client[], name: string): string {
  const restarts = clients.length === 0 ? ['Restart the client after its file has changed.'] : clients.map(({ restart }) => restart);
  return `Next:\n${[...restarts, `Then ask it: "Which tools does ${name} offer?"`].map((step) => `- ${step}\n`).join('')}`;
}
