import { createConsola, type LogObject } from 'consola/core';
import { boundedText } from './bounded-text.ts';
import { jsonLine, simpleLine } from './log-line.ts';
import { type LogEnvironment, type LogFormat, type LogLevel, logSettings } from './log-settings.ts';
import { plainText } from './plain-meta.ts';
import { recordLimits } from './record-limits.ts';

export type LogMeta = Readonly<Record<string, unknown>>;

/** Any object with these four methods may take the place of the built-in logger. */
export interface Logger {
  error(message: string, meta?: LogMeta): void;
  warn(message: string, meta?: LogMeta): void;
  info(message: string, meta?: LogMeta): void;
  debug(message: string, meta?: LogMeta): void;
}

export const loggerMethods = ['error', 'warn', 'info', 'debug'] as const satisfies readonly (keyof Logger)[];

export interface LoggerOptions {
  /** @default 'info'. `TOOLKIT_LOG_LEVEL` wins over it. */
  readonly level?: LogLevel | undefined;
  /** @default 'json' when NODE_ENV is production, else 'simple'. `TOOLKIT_LOG_FORMAT` wins over it. */
  readonly format?: LogFormat | undefined;
  /** The most that `level` may ask for; `TOOLKIT_LOG_LEVEL` may ask for more. Over stdio, debug is for the environment to ask for. @default 'debug' */
  readonly maxLevel?: LogLevel | undefined;
  /** Where lines go. What it throws is ignored. @default process.stderr, because standard output belongs to the protocol and to results. */
  readonly write?: (line: string) => void;
  /** @default process.env */
  readonly env?: LogEnvironment;
  /** @default the clock */
  readonly now?: () => Date;
}

const formats = new WeakMap<Logger, LogFormat>();

/** Returns the format in which a logger writes to standard error; undefined for one that somebody has given. */
export function logFormatOf(logger: Logger): LogFormat | undefined {
  return formats.get(logger);
}

/** Returns the logger, with the format of another one that it writes through. */
export function withFormatOf(logger: Logger, other: Logger): Logger {
  const format = formats.get(other);
  if (format !== undefined) formats.set(logger, format);
  return logger;
}

const consolaLevel: Record<LogLevel, number> = { silent: -999, error: 0, warn: 1, info: 3, debug: 4 };

/**
 * The built-in logger, on consola. Times are UTC; one record is one line; no message and no metadata makes it throw. Metadata is bounded (see
 * recordLimits); stacks of errors are written at level debug. It knows no secrets: the loggers of a kernel mask, this one does not.
 * Throws CONFIG_INVALID for a level or format that is not known.
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
      // The place where lines go is gone, and there is no other to say so.
    }
  };
  // No throttle, also when the clock is turned back: consola holds back a record that is there several times.
  const consola = createConsola({ level: consolaLevel[level], throttle: Number.NEGATIVE_INFINITY, reporters: [{ log }] });
  const method = (name: keyof Logger): Logger[typeof name] => {
    if (consolaLevel[level] < consolaLevel[name]) return discard;
    // As a finished line, because consola keeps the last record, and takes an object in the place of the message apart.
    return (message, meta) => consola[name](record(name, message, meta));
  };
  // At level error as well: it is what the level was to be.
  for (const warning of level === 'silent' ? [] : warnings) consola.error(record('warn', warning));
  const logger = { error: method('error'), warn: method('warn'), info: method('info'), debug: method('debug') };
  formats.set(logger, format);
  return logger;
}

/** What a level that is switched off does, so that wrappers can see that there is nothing to prepare. */
export function discard(): void {}

function timestamp(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}
