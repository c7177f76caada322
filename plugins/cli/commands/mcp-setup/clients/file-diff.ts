import type { Terminal } from '../../../../../kernel/index.ts';
import { visibleText } from '../../../../shared/text/visible-text.ts';
import { paint, type Style } from '../../../terminal/paint.ts';
import type { ServerEntry } from './clients.ts';
import { withoutSecrets } from './without-secrets.ts';

/** What would change in a client's file, as a unified diff. Values that may be secrets are not shown. */
export async function fileDiff(terminal: Terminal, before: string, after: string, server: ServerEntry): Promise<string> {
  const { structuredPatch } = await import('diff');
  const { hunks } = structuredPatch('', '', withoutSecrets(before, server), withoutSecrets(after, server), '', '', { context: 3 });
  const lines = hunks.flatMap((hunk) => [
    paint(terminal, 'quiet', `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`),
    ...hunk.lines.filter((line) => !line.startsWith('\\')).map((line) => painted(terminal, line)),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

const styles: Readonly<Record<string, Style>> = { '+': 'good', '-': 'bad' };

function painted(terminal: Terminal, line: string): string {
  const text = visibleText(line.replace(/\r$/, '').replaceAll('\t', '  '));
  const style = styles[line[0] ?? ''];
  return style === undefined ? text : paint(terminal, style, text);
}
