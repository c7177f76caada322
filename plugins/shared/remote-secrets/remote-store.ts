import type { ToolkitError } from '../../../kernel/index.ts';

/** Values of a store by name, as in JSON. */
export type StoredValues = ReadonlyMap<string, unknown>;

/** A store that returns all its values in one read. */
export interface RemoteStore {
  /** Label for the beginning of a sentence, such as `The AWS secret "shop"`. */
  readonly label: string;
  /** Sentence for a read that ends because the kernel closes. */
  readonly closingMessage: string;
  /** Reads all values. After an outage (`isOutage`), earlier values still serve; any other error drops them. */
  read(signal: AbortSignal): Promise<StoredValues>;
  /** Creates the error of a read that exceeded the timeout, in milliseconds. */
  createTimeoutError(timeoutMs: number): ToolkitError;
}
