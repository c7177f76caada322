import { type Call, exactLookup } from '../../../kernel/index.ts';

/**
 * Returns the parameters of a call for code that has exact integers, such as Python: `writeMarked` writes those beyond 2^53 as numbers where the
 * tool takes numbers.
 */
export function exactParameters({ tool, parameters }: Pick<Call, 'tool' | 'parameters'>): Readonly<Record<string, unknown>> {
  const lookup = exactLookup(tool, (name) => parameters[name]);
  return Object.fromEntries(Object.keys(parameters).map((name) => [name, lookup(name)]));
}
