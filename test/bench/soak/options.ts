import { parseArgs } from 'node:util';

export interface SoakOptions {
  readonly minutes: number;
  readonly clients: number;
  readonly seed: number;
  /** True when a slow event loop fails the run. */
  readonly limitsDelay: boolean;
}

/** Throws for what is no option, and for numbers that are none. */
export function soakOptions(args: readonly string[]): SoakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '15' },
      clients: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
      'no-delay-limit': { type: 'boolean', default: false },
    },
  });
  return {
    minutes: numberOf('minutes', values.minutes, 0.2),
    clients: Math.floor(numberOf('clients', values.clients, 4)),
    seed: Math.floor(numberOf('seed', values.seed, 0)),
    limitsDelay: !values['no-delay-limit'],
  };
}

function numberOf(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  throw new Error(`--${name}: expected a number of at least ${least}, received "${text}".`);
}
