import type { Connection, Submittable } from 'pg';
import { Failure } from './failure.ts';
import type { Field, TextRow, Wire } from './wire.ts';

/** Maximum size of a server message, which is one row, in bytes. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** The answer of the server to the messages of one exchange. */
export interface Answer {
  readonly parameterTypes: readonly number[];
  readonly fields: readonly Field[];
  /** Command tag such as `INSERT 0 5`. Undefined while the portal has more rows. */
  readonly tag: string | undefined;
  /** True when the statement is empty. */
  readonly isEmpty: boolean;
}

/**
 * Sends messages of the extended query protocol up to Sync, and collects the answer (PostgreSQL documentation, 55.2.3). pg's own query fetches a
 * portal to its end and keeps every row; this one stops where Execute stops. Passed to `client.query`, as pg-cursor does.
 */
export class Exchange implements Submittable {
  readonly ended: Promise<Answer>;
  readonly #send: (wire: Wire) => void;
  readonly #onRow: (row: TextRow) => void;
  readonly #answer = {
    parameterTypes: [] as readonly number[],
    fields: [] as readonly Field[],
    tag: undefined as string | undefined,
    isEmpty: false,
  };
  #settle: { resolve(answer: Answer): void; reject(error: unknown): void } = { resolve: () => {}, reject: () => {} };
  #detach: () => void = () => {};
  /** Bytes received since the last complete row. */
  #pendingBytes = 0;

  constructor(send: (wire: Wire) => void, onRow: (row: TextRow) => void = () => {}) {
    this.#send = send;
    this.#onRow = onRow;
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Prevents an unhandled rejection when the promise fails without a listener.
    this.ended.catch(() => {});
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    this.#attach(wire);
    this.#send(wire);
    wire.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#answer.fields = fields;
  }

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.#pendingBytes = 0;
    this.#onRow(fields);
  }

  handlePortalSuspended(): void {}

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#answer.tag = text;
  }

  handleEmptyQuery(): void {
    this.#answer.isEmpty = true;
  }

  handleCopyInResponse(connection: Connection): void {
    this.#break(connection.stream, copyFailure());
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    this.#detach();
    this.#settle.resolve(this.#answer);
  }

  handleError(error: unknown): void {
    this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#detach();
    this.#settle.reject(error);
  }

  #attach(wire: Wire): void {
    const { stream } = wire;
    const onTypes = (message: { readonly dataTypeIDs: readonly number[] }): void => {
      this.#answer.parameterTypes = message.dataTypeIDs;
    };
    const onCopyOut = (): void => this.#break(stream, copyFailure());
    const onData = (chunk: Buffer): void => {
      this.#pendingBytes += chunk.length;
      if (this.#pendingBytes > maxMessageBytes) this.#break(stream, sizeFailure());
    };
    wire.on('parameterDescription', onTypes);
    wire.on('copyOutResponse', onCopyOut);
    // Before pg's own listener, which would buffer the message.
    stream.prependListener('data', onData);
    this.#detach = () => {
      wire.off('parameterDescription', onTypes);
      wire.off('copyOutResponse', onCopyOut);
      stream.off('data', onData);
    };
  }

  /** Closes the connection, the only way to stop a server that sends a whole table or waits for one. The server rolls back. */
  #break(stream: Wire['stream'], failure: Failure): void {
    this.#fail(failure);
    stream.destroy();
  }
}

function copyFailure(): Failure {
  return new Failure(
    'BAD_REQUEST',
    'COPY from STDIN or to STDOUT is not possible here. Read with SELECT and write with INSERT. Nothing was changed.',
  );
}

function sizeFailure(): Failure {
  return new Failure(
    'OUTPUT_TOO_LARGE',
    `One row is larger than ${maxMessageBytes / 1024 / 1024} MB. Nothing was changed. Select fewer columns, or parts of them: left(column, 1000), substring(column from 1 for 1000).`,
  );
}
