import { ToolkitError } from '../errors.ts';
import { describeValue } from '../json/json.ts';
import { didYouMean } from '../schema/nearest.ts';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['json', 'simple'] as const;
export type LogFormat = (typeof logFormats)[number];

export type LogEnvironment = Readonly<Record<string, string | undefined>>;

export interface LogSettingOptions {
  readonly level?: LogLevel | undefined;
  readonly format?: LogFormat | undefined;
  /** The most detailed level that `level` may set. `TOOLKIT_LOG_LEVEL` may set a more detailed one. @default 'debug' */
  readonly maxLevel?: LogLevel | undefined;
}

export interface LogSettings {
  /** The level; undefined when neither the environment nor the options set it. */
  readonly level: LogLevel | undefined;
  readonly format: LogFormat;
  /** Warnings about invalid environment variables that were not reported before. */
  readonly warnings: readonly string[];
}

/** Reported warnings by environment, so that each is reported once. */
const reportedWarnings = new WeakMap<LogEnvironment, Set<string>>();

/**
 * Reads the settings. `TOOLKIT_LOG_LEVEL` and `TOOLKIT_LOG_FORMAT` win over the options, and these over NODE_ENV. Ignores case, blanks, and
 * unknown values of variables. Throws CONFIG_INVALID for an unknown option value.
 */
export function logSettings(options: LogSettingOptions, env: LogEnvironment): LogSettings {
  const warnings: string[] = [];
  const ofEnvironment = <T extends string>(name: string, known: readonly T[]): T | undefined => {
    const text = normal(env[name]);
    const value = known.find((word) => word === text);
    if (value === undefined && text !== '') warnings.push(`${name} ${problem(env[name], text, known)} It is ignored.`);
    return value;
  };
  const optional = option('logLevel', options.level, logLevels);
  const maxLevel = options.maxLevel ?? 'debug';
  const isTooMuch = logLevels.indexOf(optional ?? 'debug') > logLevels.indexOf(maxLevel);
  const inEnvironment = ofEnvironment('TOOLKIT_LOG_LEVEL', logLevels);
  if (inEnvironment === undefined && isTooMuch && optional !== undefined)
    warnings.push(
      `logLevel "${optional}" counts as "${maxLevel}" over stdio. TOOLKIT_LOG_LEVEL=${optional} shows more, on standard error.`,
    );
  const level = inEnvironment ?? (isTooMuch ? maxLevel : optional);
  const format = ofEnvironment('TOOLKIT_LOG_FORMAT', logFormats) ?? option('logFormat', options.format, logFormats);
  const isProduction = normal(env['NODE_ENV']) === 'production';
  return { level, format: format ?? (isProduction ? 'json' : 'simple'), warnings: warnings.filter((warning) => isNew(env, warning)) };
}

function normal(value: string | undefined): string {
  return (value ?? '').trim().toLowerCase();
}

function option<T extends string>(name: string, value: T | undefined, known: readonly T[]): T | undefined {
  if (value === undefined || known.includes(value)) return value;
  throw new ToolkitError('CONFIG_INVALID', `The option ${name} ${problem(value, normal(String(value)), known)}`);
}

function problem(value: unknown, text: string, known: readonly string[]): string {
  return `expected one of ${known.join(', ')}, received ${describeValue(value)}.${didYouMean(text, known)}`;
}

function isNew(env: LogEnvironment, warning: string): boolean {
  const before = reportedWarnings.get(env) ?? new Set();
  reportedWarnings.set(env, before);
  if (before.has(warning)) return false;
  before.add(warning);
  return true;
}
