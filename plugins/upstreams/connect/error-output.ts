import type { Readable } from 'node:stream';
import { excerpt, type Logger } from '../../../kernel/index.ts';
import { printable } from './printable.ts';

/** Characters that are kept for messages. */
const keptLength = 2000;

/** Lines that are logged in one second. The others are read and dropped. */
const maxLinesPerSecond = 20;

/** Bytes that are read in one second; then the server waits. */
const maxBytesPerSecond = 1024 * 1024;

/** Logs the error output of a server at the level debug, within limits, and keeps its end in `kept`. */
export function logErrorOutput(stream: Readable, name: string, logger: Logger, kept: { text: string }): void {
  let begunAt = 0;
  let lines = 0;
  let bytes = 0;
  let rest = '';
  // Own text: lines of the log
  stream.setEncoding('utf8').on('data', (text: string) => {
    kept.text = (kept.text + text).slice(-keptLength);
    const now = performance.now();
    if (now - begunAt >= 1000) [begunAt, lines, bytes] = [now, 0, 0];
    bytes += text.length;
    const parts = (rest + text).split('\n');
    rest = (parts.pop() ?? '').slice(-keptLength);
    for (const line of parts) {
      if (line.trim() === '' || ++lines > maxLinesPerSecond) continue;
      logger.debug(`the MCP server "${name}" says: ${excerpt(printable(line), 500)}`, { server: name });
    }
    if (bytes < maxBytesPerSecond) return;
    stream.pause();
    setTimeout(() => stream.resume(), 1000).unref();
  });
}
