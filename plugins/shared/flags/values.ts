import path from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';

/** Parses a comma-separated list. */
export function parseList(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Parses a path. Unlike a path in the configuration, it is relative to the working directory. */
export function parsePath(value: string): string {
  return path.resolve(value);
}

/** Parses a comma-separated list of paths. */
export function parsePaths(value: string): string[] {
  return parseList(value).map(parsePath);
}

/** Creates a parser that accepts only these words. */
export function parseOneOf<T extends string>(known: readonly T[]): (value: string) => T {
  const expected = `${known.slice(0, -1).join(', ')} or ${known.at(-1)}`;
  return (value) => {
    const found = known.find((word) => word === value);
    if (found !== undefined) return found;
    throw new ToolkitError('INVALID_PARAMETERS', `expected ${expected}, received "${excerpt(value, 100)}"`);
  };
}

/** Creates a parser for whole numbers in a range. */
export function parseWhole(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (Number.isInteger(number) && number >= min && number <= max && value.trim() !== '') return number;
    throw new ToolkitError('INVALID_PARAMETERS', `expected a whole number from ${min} to ${max}, received "${excerpt(value, 100)}"`);
  };
}
