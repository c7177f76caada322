import { type Call, exactLookup } from '../../../kernel/index.ts';

/**
 * Returns a call's parameters for code with exact integers, such as Python: `writeMarked` writes integers beyond 2^53 as numbers where the
 * tool takes numbers.
 */
export function exactParameters({ tool, parameters }: Pick<Call, 'tool' | 'parameters'>): Readonly<Record<string, unknown>> {
  const lookup = exactLookup(tool, (name) => parameters[name]);
  return Object.fromEntries(Object.keys(parameters).map((name) => [name, lookup(name)]));
}
