import type { Progress, Terminal } from '../../../../kernel/index.ts';
import { textWidth } from '../../../shared/terminal/width.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';

/** One line on standard error with the progress of a call. It disappears at the end. */
export interface ProgressLine {
  show(step: Progress): void;
  clear(): void;
}

/** Minimum time between two redraws, in milliseconds. */
const minPauseMs = 50;

const barWidth = 20;

/** Creates the progress line. It shows nothing when standard error is no terminal. */
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
      // The last column stays free: a terminal would wrap the line.
      stream.write(`\r\u001b[2K${cut(text, Math.max(1, (stream.columns || 80) - 1), '')}`);
    },
    clear() {
      if (drawnAt === undefined) return;
      drawnAt = undefined;
      stream.write('\r\u001b[2K');
    },
  };
}

/** Formats progress as `[#####---------------]  25 %  message` when the total is known, else as the known values. */
export function progressText({ progress, total, message = '' }: Progress): string {
  const words = terminalText(message.replace(/\s+/g, ' ').trim());
  if (progress === undefined || total === undefined || !(total > 0))
    return [progress, words].filter((part) => part !== undefined).join(' ');
  const share = Math.min(1, Math.max(0, progress / total));
  const done = Math.floor(share * barWidth);
  return `[${'#'.repeat(done)}${'-'.repeat(barWidth - done)}] ${String(Math.floor(share * 100)).padStart(3)} %  ${words}`.trimEnd();
}
