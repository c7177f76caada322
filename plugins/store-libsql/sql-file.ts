import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';
import { minimalEnvironment } from '../shared/process/program.ts';
import { codeRoot } from '../shared/project/layout.ts';

export type SqlValue = string | number | null | Uint8Array;

/** An SQL statement with `?` for its values. */
export type Statement = readonly [sql: string, ...values: SqlValue[]];

export type Row = Readonly<Record<string, unknown>>;

interface Answer {
  readonly id?: number;
  readonly rows?: readonly (readonly Row[])[];
  readonly problem?: string;
  readonly changed?: readonly string[];
  readonly broken?: string;
}

interface PendingRequest {
  resolve(rows: readonly (readonly Row[])[]): void;
  reject(error: unknown): void;
}

/** Interval at which a watched file is read for changes of other processes, in milliseconds. */
export const pollIntervalMs = 20;

/** A SQLite file in a thread of its own, so that queries do not block the event loop. */
export class SqlFile {
  readonly file: string;
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #onChanges: (keys: readonly string[]) => void;
  readonly #ended: Promise<void>;
  #lastId = 0;
  #failure: ToolkitError | undefined;

  /**
   * `onChanges` receives the keys that any process has changed, while the file is watched. `isExclusive`: keeps all other processes out of the
   * file until it is closed, and fails while one has it open.
   */
  constructor(file: string, onChanges: (keys: readonly string[]) => void, isExclusive = false) {
    this.file = file;
    this.#onChanges = onChanges;
    this.#worker = new Worker(path.join(codeRoot(), 'plugins', 'store-libsql', 'sql-thread.mjs'), {
      workerData: { file, isExclusive, pollIntervalMs },
      env: minimalEnvironment(),
      execArgv: [],
    });
    this.#worker.on('message', (answer: Answer) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#fail(this.#startError(error)));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail(this.#unavailable('its thread has ended'));
        resolve();
      });
    });
    this.#worker.unref();
  }

  /** Runs statements in order, with no other between them. Resolves to the rows of each when they are on disk. Rejects with STATE_UNAVAILABLE. */
  run(...statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    return this.#request({ statements });
  }

  /** Runs the first statement, and the others only when it returns a row. */
  runIf(first: Statement, ...others: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    return this.#request({ statements: [first, ...others], isConditional: true });
  }

  async watch(isOn: boolean): Promise<void> {
    await this.#request({ watch: isOn });
  }

  async close(): Promise<void> {
    this.#fail(this.#unavailable('it is closed'));
    void this.#worker.terminate();
    await this.#ended;
  }

  #request(request: object): Promise<readonly (readonly Row[])[]> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject });
      // Keeps the process alive until the answer arrives.
      this.#worker.ref();
      this.#worker.postMessage({ id, ...request });
    });
  }

  #receive({ id, rows, problem, changed, broken }: Answer): void {
    if (broken !== undefined) this.#fail(this.#unavailable(broken));
    if (changed !== undefined) this.#onChanges(changed);
    const waiting = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    if (rows === undefined) waiting.reject(this.#unavailable(problem ?? 'no answer came'));
    else waiting.resolve(rows);
  }

  #fail(error: ToolkitError): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }

  #startError(error: unknown): ToolkitError {
    const isAbsent = (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    if (!isAbsent) return this.#unavailable(messageOf(error));
    return new ToolkitError(
      'DEPENDENCY_MISSING',
      'store-libsql needs the package libsql, which is not installed. Run: npm install libsql',
      {
        package: 'libsql',
      },
    );
  }

  #unavailable(why: string): ToolkitError {
    return new ToolkitError('STATE_UNAVAILABLE', `The store ${excerpt(this.file)} cannot be used: ${excerpt(why)}.`);
  }
}
