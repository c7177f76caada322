import { createConsola, type LogObject } from 'consola/core';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['json', 'simple'] as const;
export type LogFormat = (typeof logFormats)[number];

export type LogMeta = Readonly<Record<string, unknown>>;

/** Any object with these four methods may take the place of the built-in logger. */
export interface Logger {
  error(message: string, meta?: LogMeta): void;
  warn(message: string, meta?: LogMeta): void;
  info(message: string, meta?: LogMeta): void;
  debug(message: string, meta?: LogMeta): void;
}

export interface LoggerOptions {
  /** @default 'info'. `TOOLKIT_LOG_LEVEL` wins over it. */
  readonly level?: LogLevel;
  /** @default 'json' when NODE_ENV is production, else 'simple'. `TOOLKIT_LOG_FORMAT` wins over it. */
  readonly format?: LogFormat;
  /** Where lines go. @default process.stderr, because standard output belongs to the protocol and to results. */
  readonly write?: (line: string) => void;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default the clock */
  readonly now?: () => Date;
}

const consolaLevel: Record<LogLevel, number> = { silent: -999, error: 0, warn: 1, info: 3, debug: 4 };

/** The built-in logger, on consola. Times are UTC. */
export function createLogger(options: LoggerOptions = {}): Logger {
  const env = options.env ?? process.env;
  const level = pick(logLevels, env['TOOLKIT_LOG_LEVEL']) ?? options.level ?? 'info';
  const format = pick(logFormats, env['TOOLKIT_LOG_FORMAT']) ?? options.format ?? (env['NODE_ENV'] === 'production' ? 'json' : 'simple');
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const now = options.now ?? (() => new Date());
  const render = format === 'json' ? jsonLine : simpleLine;
  const consola = createConsola({
    level: consolaLevel[level],
    throttle: 0,
    reporters: [
      { log: ({ type, args }: LogObject) => write(`${render(timestamp(now()), type, String(args[0]), args[1] as LogMeta | undefined)}\n`) },
    ],
  });
  const method = (name: keyof Logger) =>
    consolaLevel[level] < consolaLevel[name] ? discard : (message: string, meta?: LogMeta) => consola[name](message, meta);
  return { error: method('error'), warn: method('warn'), info: method('info'), debug: method('debug') };
}

/** What a level that is switched off does, so that wrappers can see that there is nothing to prepare. */
function discard(): void {}

/** The same logger with every message and all metadata passed through `mask`. */
export function maskedLogger(logger: Logger, mask: <T>(value: T) => T): Logger {
  const masked = (level: keyof Logger): Logger[typeof level] => {
    if (logger[level] === discard) return discard;
    return (message, meta) => (meta === undefined ? logger[level](mask(message)) : logger[level](mask(message), mask(plainMeta(meta))));
  };
  return { error: masked('error'), warn: masked('warn'), info: masked('info'), debug: masked('debug') };
}

function pick<T extends string>(known: readonly T[], wanted: string | undefined): T | undefined {
  return known.find((name) => name === wanted?.toLowerCase());
}

function timestamp(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

function jsonLine(time: string, level: string, message: string, meta: LogMeta | undefined): string {
  return JSON.stringify({ timestamp: time, level, message, ...plainMeta(meta ?? {}) });
}

function simpleLine(time: string, level: string, message: string, meta: LogMeta | undefined): string {
  const rest = meta === undefined || Object.keys(meta).length === 0 ? '' : ` ${JSON.stringify(plainMeta(meta))}`;
  return `[${time}] [${level.toUpperCase()}] ${message}${rest}`;
}

/** Metadata as something JSON can hold: errors become their messages, bigints text, circular references `[circular]`. */
export function plainMeta(meta: LogMeta): LogMeta {
  const parents = new Set<object>();
  const visit = (value: unknown): unknown => {
    if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (parents.has(value)) return '[circular]';
    parents.add(value);
    const result = convert(value);
    parents.delete(value);
    return result;
  };
  const convert = (value: object): unknown => {
    if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return visit((value as { toJSON(): unknown }).toJSON());
    if (value instanceof Error)
      return visit({ name: value.name, message: value.message, ...(value.cause === undefined ? {} : { cause: value.cause }) });
    if (Array.isArray(value)) return value.map(visit);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, visit(member)]));
  };
  return visit(meta) as LogMeta;
}
