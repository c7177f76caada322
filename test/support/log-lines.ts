import { createLogger, type Logger, type LoggerOptions } from '../../kernel/index.ts';

/** A logger of 4 March 2026 that keeps its lines and reads nothing of the environment. */
export function keptLogger(options: LoggerOptions = {}): Logger & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  const now = (): Date => new Date('2026-03-04T05:06:07.890Z');
  return Object.assign(createLogger({ now, env: {}, ...options, write: (line) => void lines.push(line) }), { lines });
}

/** The record that a JSON logger writes for this metadata, and its line. */
export function recordOf(
  meta: unknown,
  options: LoggerOptions & { readonly message?: unknown } = {},
): { readonly record: Readonly<Record<string, unknown>>; readonly line: string } {
  const { message = 'm', ...rest } = options;
  const logger = keptLogger({ format: 'json', ...rest });
  logger.error(message as string, meta as Readonly<Record<string, unknown>>);
  const [line = ''] = logger.lines;
  return { record: JSON.parse(line), line };
}
