import { isPlainObject } from '../schema/json.ts';
import type { Masking } from './bounded-text.ts';
import { PlainValue } from './plain-value.ts';
import { isError, isList, read } from './read-value.ts';
import { recordLimits, unlimited } from './record-limits.ts';

export interface PlainOptions {
  /** Applied to texts and keys before they are cut. @default nothing is masked */
  readonly masking?: Masking;
  /** Keep the stacks of errors. @default false */
  readonly stacks?: boolean;
  /** Not for a record, and cut nowhere. @default false */
  readonly isUnlimited?: boolean;
}

/** What was made here: plain and bounded, it need not be walked through again. */
const plainValues = new WeakSet<object>();

/**
 * Metadata as something JSON can hold, within the limits of a record. Never throws, whatever it is given: what cannot be read becomes a note
 * in square brackets. Members that are `undefined` are left out, as JSON does. The bytes of buffers are not shown: a secret in them could
 * not be recognised. Getters, `toJSON` and proxies are run, and may take their time, as does an object of a million members.
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

/** Anything as a text, as a message must be. */
export function plainText(value: unknown, masking?: Masking): string {
  if (typeof value === 'string') return value;
  const plain = new PlainValue(recordLimits, masking).visit(isError(value) ? read(value, 'message') : value);
  return typeof plain === 'string' ? plain : (JSON.stringify(plain) ?? 'undefined');
}
