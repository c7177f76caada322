import { isPlainObject } from '../json/json.ts';
import type { Masking } from './bounded-text.ts';
import { PlainValue } from './plain-value.ts';
import { isError, isList, read } from './read-value.ts';
import { recordLimits, unlimited } from './record-limits.ts';

export interface PlainOptions {
  /** Masks texts and keys before they are cut. @default nothing is masked */
  readonly masking?: Masking;
  /** True to keep the stacks of errors. @default false */
  readonly stacks?: boolean;
  /** True to cut nothing, for a value that is no log record. @default false */
  readonly isUnlimited?: boolean;
}

/** Results of `plainMeta`: plain and bounded, so they are not converted again. */
const plainValues = new WeakSet<object>();

/**
 * Converts metadata to JSON values within the limits of a record. Never throws: an unreadable value becomes a note in square brackets. Leaves
 * out undefined members, as JSON does, and the bytes of buffers, because masking could not find a secret in them. Runs getters, `toJSON` and
 * proxies, without a time limit.
 */
export function plainMeta(meta: unknown, { masking, stacks, isUnlimited = false }: PlainOptions = {}): Readonly<Record<string, unknown>> {
  if (typeof meta === 'object' && meta !== null && plainValues.has(meta)) {
    const masked = masking?.mask(meta) ?? meta;
    plainValues.add(masked);
    return masked as Readonly<Record<string, unknown>>;
  }
  const plain = new PlainValue(isUnlimited ? unlimited : recordLimits, masking, stacks).visit(meta);
  const hasMembers = isPlainObject(plain) && !isError(meta) && !isList(meta);
  const result = hasMembers ? plain : { [isError(meta) ? 'error' : 'meta']: plain };
  if (!isUnlimited) plainValues.add(result);
  return result;
}

/** Converts a value to a text for a message. */
export function plainText(value: unknown, masking?: Masking): string {
  if (typeof value === 'string') return value;
  const plain = new PlainValue(recordLimits, masking).visit(isError(value) ? read(value, 'message') : value);
  return typeof plain === 'string' ? plain : (JSON.stringify(plain) ?? 'undefined');
}
