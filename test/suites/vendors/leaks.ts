import { inspect } from 'node:util';
import { readings } from '../../support/readings.ts';
import { environment, secretNames } from './credentials.ts';
import type { CallTrace } from './vendors.ts';

/** Names of the secrets that can be read anywhere in what a call left behind, however they are encoded. */
export function leaksIn({ output, error, log }: CallTrace): readonly string[] {
  const text = [inspect(error, { depth: 12, maxStringLength: null }), JSON.stringify([error, output, log])].join('\n');
  const readable = readings(text, 2);
  return secretNames.filter((name) => readable.includes(environment[name]));
}
