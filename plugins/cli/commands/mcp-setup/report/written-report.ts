import { visibleText } from '../../../../shared/text/visible-text.ts';
import type { Client } from '../clients/clients.ts';
import type { Written } from '../clients/write-entry.ts';

/** What was done to a file. */
export function writtenReport({ file, backup, isChanged }: Written): string {
  if (!isChanged) return `${visibleText(file)} says this already: nothing was changed.\n`;
  return `Wrote ${visibleText(file)}.\n${backup === undefined ? '' : `What it was is in ${visibleText(backup)}.\n`}`;
}

/** What a person does next. */
export function nextSteps(clients: readonly Client[], name: string): string {
  const restarts = clients.length === 0 ? ['Restart the client after its file has changed.'] : clients.map(({ restart }) => restart);
  return `Next:\n${[...restarts, `Then ask it: "Which tools does ${name} offer?"`].map((step) => `- ${step}\n`).join('')}`;
}
