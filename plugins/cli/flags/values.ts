import path from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';

/** Parses a comma-separated list. */
export function list(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Parses a path. Unlike a path in the configuration, it is relative to the working directory. */
export function place(value: string): string {
  return path.resolve(value);
}

/** Parses a comma-separated list of paths. */
export function places(value: string): string[] {
  return list(value).map(place);
}

/** Creates a parser that accepts only these words. */
export function oneOf<T extends string>(known: readonly T[]): (value: string) => T {
  const expected = `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
  return (value) => {
    const found = known.find((word) => word === value);
    if (found !== undefined) return found;
    throw new ToolkitError('INVALID_PARAMETERS', `expected ${expected}, received "${excerpt(value, 100)}"`);
  };
}

/** Creates a parser for whole numbers in a range. */
export function whole(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (Number.isInteger(number) && number >= least && number <= most && value.trim() !== '') return number;
    throw new ToolkitError('INVALID_PARAMETERS', `expected a whole number from ${least} to ${most}, received "${excerpt(value, 100)}"`);
  };
}

export function port(value: string): number {
  if (/^\d+$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new ToolkitError('INVALID_PARAMETERS', `expected a number from 0 to 65535, received "${excerpt(value, 100)}"`);
}
