import type { ToolkitError } from '../../../kernel/index.ts';

/** What a store holds, by name, as JSON has it. */
export type StoredValues = ReadonlyMap<string, unknown>;

/** A store that gives all its values in one read. */
export interface RemoteStore {
  /** At the beginning of a sentence, such as `The AWS secret "shop"`. */
  readonly label: string;
  /** Why a read ends when the kernel closes, as a sentence. */
  readonly closing: string;
  /** A failure that `isOutage` leaves older values in use; every other one ends them. */
  read(signal: AbortSignal): Promise<StoredValues>;
  /** The failure of a read that took longer than this, in milliseconds. */
  late(timeoutMs: number): ToolkitError;
}
