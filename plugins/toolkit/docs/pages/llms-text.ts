import path from 'node:path';
import type { Guide } from '../guides.ts';
import { page } from '../markdown.ts';

export interface LlmsContent {
  readonly name: string;
  readonly summary: string;
  /** Folder of the text: its links are relative. */
  readonly folder: string;
  readonly reference: readonly Guide[];
  readonly guides: readonly Guide[];
}

/** Returns the text that a model reads first (llmstxt.org): title, summary, and one line for each link. */
export function llmsText({ name, summary, folder, reference, guides }: LlmsContent): string {
  const links = (all: readonly Guide[]): string =>
    all.map((one) => `- [${one.title}](${path.posix.relative(folder, one.file)}): ${one.summary}\n`).join('');
  return page(`# ${name}`, `> ${summary}`, '## Reference', links(reference), '## Guides', links(guides));
}
