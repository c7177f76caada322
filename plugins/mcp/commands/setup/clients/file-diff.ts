import type { Terminal } from '../../../../../kernel/index.ts';
import { paintDiff } from '../../../../shared/terminal/paint-diff.ts';
import type { ServerEntry } from './clients.ts';
import { maskSecrets } from './mask-secrets.ts';

/** Returns the change of a client's file as a unified diff. Values that may be secrets are masked. */
export async function fileDiff(terminal: Terminal, before: string, after: string, server: ServerEntry): Promise<string> {
  const { structuredPatch } = await import('diff');
  const { hunks } = structuredPatch('', '', maskSecrets(before, server), maskSecrets(after, server), '', '', { context: 3 });
  const lines = hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.filter((line) => !line.startsWith('\\')),
  ]);
  return paintDiff(terminal, lines);
}
