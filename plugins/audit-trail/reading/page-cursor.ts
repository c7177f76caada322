import { isPlainObject, readJson, ToolkitError } from '../../../kernel/index.ts';
import { strictUtf8 } from '../../shared/text/utf8.ts';
import type { ChainPosition } from './chain-reader.ts';

/** Positions by the name of the chain's file; empty name for a trail in one file. */
export type TrailPositions = ReadonlyMap<string, ChainPosition>;

/** Writes the cursor of a page. It stays valid when files are rotated: see `ChainPosition`. */
export function writeCursor(positions: TrailPositions): string {
  const entries = [...positions].map(([name, { number, end }]) => [name, { number, end }] as const);
  return Buffer.from(JSON.stringify(Object.fromEntries(entries))).toString('base64url');
}

/** Reads a cursor. Throws INVALID_PARAMETERS. */
export function readCursor(text: string): TrailPositions {
  const value = decode(text);
  if (!isPlainObject(value)) return refuse();
  return new Map(Object.entries(value).map(([name, position]) => [name, isPosition(position) ? position : refuse()]));
}

function decode(text: string): unknown {
  try {
    return readJson(strictUtf8(Buffer.from(text, 'base64url')) ?? '');
  } catch {
    return undefined;
  }
}

function isPosition(value: unknown): value is ChainPosition {
  if (!isPlainObject(value)) return false;
  const { number, end } = value as { readonly number?: unknown; readonly end?: unknown };
  return Number.isSafeInteger(number) && (number as number) > 0 && Number.isSafeInteger(end) && (end as number) >= 0;
}

function refuse(): never {
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    'The cursor is none of a page of this trail. Pass the "next" of the page before, or none for the newest calls.',
  );
}
