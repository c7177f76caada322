import { type DraftCall, exactLookup, isPlainObject, unmarked } from '../../../kernel/index.ts';

/**
 * Returns the parameters of a call for conditions: an integer beyond 2^53 is a CEL int where the tool takes numbers. As the text that it is
 * elsewhere, it would equal no number, and a rule that denies one id would deny nothing.
 */
export function conditionParameters({ tool, parameters }: Pick<DraftCall, 'tool' | 'parameters'>): Readonly<Record<string, unknown>> {
  const lookup = exactLookup(tool, (name) => parameters[name]);
  return Object.fromEntries(
    Object.keys(parameters).map((name) => {
      const value = lookup(name);
      // A value without marks is returned unchanged.
      return [name, value === parameters[name] ? value : withIntegers(value)];
    }),
  );
}

function withIntegers(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = unmarked(value);
    return text === value ? value : BigInt(text);
  }
  if (Array.isArray(value)) return value.map(withIntegers);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withIntegers(member)]));
}
