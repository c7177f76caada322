import { createConsola, type LogObject } from 'consola/core';
import { boundedText } from './bounded-text.ts';
import { jsonLine, simpleLine } from './log-line.ts';
import { type LogEnvironment, type LogFormat, type LogLevel, logSettings } from './log-settings.ts';
import { plainText } from './plain-meta.ts';
import { recordLimits } from './record-limits.ts';

export type LogMeta = Readonly<Record<string, unknown>>;

/** A logger. Any object with these four methods may replace the built-in one. */
export interface Logger {
  error(message: string, meta?: LogMeta): void;
  warn(message: string, meta?: LogMeta): void;
  info(message: string, meta?: LogMeta): void;
  debug(message: string, meta?: LogMeta): void;
}

export const loggerMethods = ['error', 'warn', 'info', 'debug'] as const satisfies readonly (keyof Logger)[];

export interface LoggerOptions {
  /** The level. `TOOLKIT_LOG_LEVEL` wins over it. @default 'info' */
  readonly level?: LogLevel | undefined;
  /** The format. `TOOLKIT_LOG_FORMAT` wins over it. @default 'json' when NODE_ENV is production, else 'simple' */
  readonly format?: LogFormat | undefined;
  /** The most detailed level that `level` may set. `TOOLKIT_LOG_LEVEL` may set a more detailed one, such as debug over stdio. @default 'debug' */
  readonly maxLevel?: LogLevel | undefined;
  /** Writes a line. Errors are ignored. @default writes to standard error, because standard output is for the protocol and results */
  readonly write?: (line: string) => void;
  /** Environment variables. @default process.env */
  readonly env?: LogEnvironment;
  /** Returns the current time. @default the system clock */
  readonly now?: () => Date;
}

const formats = new WeakMap<Logger, LogFormat>();

/** Returns the format of a built-in logger; undefined for another logger. */
export function logFormatOf(logger: Logger): LogFormat | undefined {
  return formats.get(logger);
}

/** Returns the logger, marked with the format of the logger to which it writes. */
export function withFormatOf(logger: Logger, other: Logger): Logger {
  const format = formats.get(other);
  if (format !== undefined) formats.set(logger, format);
  return logger;
}

const consolaLevel: Record<LogLevel, number> = { silent: -999, error: 0, warn: 1, info: 3, debug: 4 };

/**
 * Creates the built-in logger, based on consola. Times are UTC, each record is one line, and it never throws for a message or metadata. Metadata
 * is bounded (see recordLimits); stacks of errors are written only at level debug. It masks no secrets; the loggers of a kernel do. Throws
 * CONFIG_INVALID for an unknown level or format.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = 'info', format, warnings } = logSettings(options, options.env ?? process.env);
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const now = options.now ?? (() => new Date());
  const line = format === 'json' ? jsonLine : simpleLine;
  const record = (type: string, message: unknown, meta?: unknown): string => {
    const text = boundedText(plainText(message), recordLimits.text);
    return `${line(timestamp(now()), type, text, meta, level === 'debug')}\n`;
  };
  const log = ({ args: [text] }: LogObject): void => {
    try {
      write(String(text));
    } catch {
      // The output is closed, and there is no other one for this error.
    }
  };
  // Without throttle, also when the clock is set back: consola suppresses repeated records.
  const consola = createConsola({ level: consolaLevel[level], throttle: Number.NEGATIVE_INFINITY, reporters: [{ log }] });
  const method = (name: keyof Logger): Logger[typeof name] => {
    if (consolaLevel[level] < consolaLevel[name]) return discard;
    // Passed as a finished line: consola keeps the last record, and destructures an object in place of a message.
    return (message, meta) => consola[name](record(name, message, meta));
  };
  // Written also at level error: the intended level may have been a more detailed one.
  for (const warning of level === 'silent' ? [] : warnings) consola.error(record('warn', warning));
  const logger = { error: method('error'), warn: method('warn'), info: method('info'), debug: method('debug') };
  formats.set(logger, format);
  return logger;
}

/** Does nothing. The method of a disabled level, so that callers can skip preparing a record. */
export function discard(): void {}

function timestamp(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}
