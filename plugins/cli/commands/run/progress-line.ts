import type { Progress, Terminal } from '../../../../kernel/index.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { textWidth } from '../../terminal/width.ts';

/** One line on standard error that says how far a call is, and is gone afterwards. */
export interface ProgressLine {
  show(step: Progress): void;
  clear(): void;
}

/** Milliseconds between two drawings: more often cannot be read. */
const minPauseMs = 50;

const barWidth = 20;

/** Where standard error is no terminal, nothing is shown. */
export async function progressLine(
  { error }: Pick<Terminal, 'error'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProgressLine> {
  const stream = error as Terminal['error'] & { readonly isTTY?: boolean; readonly columns?: number };
  if (stream.isTTY !== true || env['TERM'] === 'dumb') return { show() {}, clear() {} };
  const { cut } = await textWidth();
  let drawnAt: number | undefined;
  return {
    show(step) {
      const now = performance.now();
      if (drawnAt !== undefined && now - drawnAt < minPauseMs) return;
      drawnAt = now;
      const text = progressText(step);
      // The last column stays free: a terminal would begin a new line.
      stream.write(`\r\u001b[2K${cut(text, Math.max(1, (stream.columns || 80) - 1), '')}`);
    },
    clear() {
      if (drawnAt === undefined) return;
      drawnAt = undefined;
      stream.write('\r\u001b[2K');
    },
  };
}

/** `[#####---------------]  25 %  message` where the end is known, else what is known. */
export function progressText({ progress, total, message = '' }: Progress): string {
  const words = terminalText(message.replace(/\s+/g, ' ').trim());
  if (progress === undefined || total === undefined || !(total > 0))
    return [progress, words].filter((part) => part !== undefined).join(' ');
  const share = Math.min(1, Math.max(0, progress / total));
  const done = Math.floor(share * barWidth);
  return `[${'#'.repeat(done)}${'-'.repeat(barWidth - done)}] ${String(Math.floor(share * 100)).padStart(3)} %  ${words}`.trimEnd();
}
