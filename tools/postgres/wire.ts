import type { Duplex } from 'node:stream';

/** The methods and events of pg's connection that this package uses. pg's own types lack some of them and declare others wrongly. */
export interface Wire {
  readonly stream: Duplex;
  parse(message: { readonly text: string }): void;
  describe(message: { readonly type: 'S' }): void;
  bind(message: { readonly values: readonly (string | null)[] }): void;
  execute(message: { readonly rows: number }): void;
  sync(): void;
  on(event: WireEvent, listener: (message: never) => void): unknown;
  off(event: WireEvent, listener: (message: never) => void): unknown;
}

type WireEvent = 'parameterDescription' | 'copyOutResponse';

/** A column, as the server describes it. */
export interface Field {
  readonly name: string;
  /** Oid of its type in pg_type; for a domain that of the type below it. */
  readonly dataTypeID: number;
}

/** A row as received: each value in the server's text form. */
export type TextRow = readonly (string | null)[];
