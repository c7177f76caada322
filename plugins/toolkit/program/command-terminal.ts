import { isatty } from 'node:tty';
import type { Terminal } from '../../../kernel/index.ts';

/** Describes the terminal of the process. `NO_COLOR` (no-color.org) and `FORCE_COLOR` apply when not empty; `NO_COLOR` takes precedence. */
export function commandTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  const isTerminal = isatty(1);
  const { columns } = process.stdout;
  return {
    isTerminal,
    isInteractive: isatty(0) && isatty(2),
    hasColors: !isSet(env['NO_COLOR']) && (isSet(env['FORCE_COLOR']) ? env['FORCE_COLOR'] !== '0' : isTerminal && env['TERM'] !== 'dumb'),
    input: process.stdin,
    error: process.stderr,
    // Some terminals report 0 columns at first.
    ...(isTerminal ? { columns: columns || 80 } : {}),
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
