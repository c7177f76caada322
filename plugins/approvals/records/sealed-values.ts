import type { StateChange, StateStore, TimeToLive } from '../../../kernel/index.ts';
import type { Cipher } from '../../shared/keys/cipher.ts';

/** A value as it stands in the store. It may be changed only while the store still holds this text. */
export interface SealedValue<T> {
  readonly text: string;
  readonly value: T;
}

/** Values in the store, each sealed for its own key: moved to another key, or changed, it is unreadable. */
export class SealedValues {
  readonly state: StateStore;
  readonly #cipher: Cipher;

  constructor(state: StateStore, cipher: Cipher) {
    this.state = state;
    this.#cipher = cipher;
  }

  /** Reads a value: `unreadable` when it was changed, or sealed with another key. Undefined when there is none. */
  async read<T>(key: string): Promise<SealedValue<T> | 'unreadable' | undefined> {
    const text = await this.state.get(key);
    return text === undefined ? undefined : this.open<T>(key, text);
  }

  /** Opens the text of a key. */
  open<T>(key: string, text: string): SealedValue<T> | 'unreadable' {
    const json = this.#cipher.decrypt(Buffer.from(text, 'base64url'), key);
    // Own text: sealed for this key.
    return json === undefined ? 'unreadable' : { text, value: JSON.parse(json) as T };
  }

  seal(key: string, value: object): string {
    return this.#cipher.encrypt(JSON.stringify(value), key).toString('base64url');
  }

  /** Returns the change that sets a value. */
  change(key: string, value: object, life: TimeToLive = {}): StateChange {
    return { key, value: this.seal(key, value), ...life };
  }
}
