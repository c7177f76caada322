import { isatty } from 'node:tty';
import type { LogFormat, LogMeta } from '../../../../kernel/index.ts';
import { logSettings } from '../../../../kernel/log/log-settings.ts';
import { divertWrites } from './divert-writes.ts';
import { JsonLines } from './json-lines.ts';
import { NodeWarnings } from './node-warnings.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Level = 'error' | 'warn' | 'info';
type Chunk = string | Uint8Array;

interface LogRecord {
  readonly message: string;
  readonly meta?: LogMeta;
}

/**
 * Standard error of the program. With the JSON log format, each line is one JSON object, whatever code of this process writes it: printed text, writes
 * to descriptor 2, and warnings of Node become messages of records. Everything is held back until the configuration has set the format. At an
 * interactive terminal, everything is written unchanged. Output of child processes that inherit the descriptor, and of Node in a crash, cannot be converted.
 */
export class StandardError {
  readonly #defaultFormat: LogFormat;
  readonly #isFixedByEnvironment: boolean;
  readonly #write: (chunk: Chunk) => void;
  readonly #warnings = new NodeWarnings();
  #waiting: Chunk[] | undefined;
  #lines: JsonLines | undefined;

  constructor(env: Environment) {
    // A copy: problems of the environment are reported once, by the logger.
    const copy = { ...env };
    this.#defaultFormat = logSettings({}, copy).format;
    const other = this.#defaultFormat === 'json' ? 'simple' : 'json';
    this.#isFixedByEnvironment = logSettings({ format: other }, copy).format === this.#defaultFormat;
    const { stderr } = process;
    const write = stderr.write.bind(stderr);
    this.#write = (chunk) => void write(chunk);
    const isForPerson = isatty(0) && isatty(2);
    if (!isForPerson && !(this.#isFixedByEnvironment && this.#defaultFormat === 'simple')) this.#holdBack();
    if (this.#isFixedByEnvironment) this.setFormat(undefined);
  }

  /** Sets the format of the configuration; undefined when it has none. The environment takes precedence. Only the first call counts. */
  setFormat(configured: LogFormat | undefined): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    const format = this.#isFixedByEnvironment ? this.#defaultFormat : (configured ?? this.#defaultFormat);
    if (format === 'simple') {
      for (const chunk of waiting) this.#write(chunk);
      this.#warnings.restore();
      return;
    }
    const lines = new JsonLines((text) => this.#write(text));
    this.#lines = lines;
    for (const chunk of waiting) lines.add(chunk);
    this.#warnings.report((message, meta) => lines.logger.warn(message, meta));
  }

  /** Writes a record in JSON format, else `text` as it is. */
  report(level: Level, text: string, { message, meta }: LogRecord = { message: text.trim() }): void {
    this.setFormat(undefined);
    if (this.#lines === undefined) this.#write(text);
    else this.#lines.logger[level](message, meta);
  }

  #holdBack(): void {
    const { stderr } = process;
    this.#waiting = [];
    stderr.write = (chunk: Chunk, encoding?: unknown, callback?: unknown): boolean => {
      this.#receive(typeof chunk === 'string' && typeof encoding === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : chunk);
      const done = typeof encoding === 'function' ? encoding : callback;
      if (typeof done === 'function') process.nextTick(done as () => void);
      return true;
    };
    divertWrites((data) => this.#receive(data));
    this.#warnings.hold();
    process.on('exit', () => {
      this.setFormat(undefined);
      this.#lines?.end();
    });
  }

  #receive(chunk: Chunk): void {
    if (this.#lines !== undefined) this.#lines.add(chunk);
    else if (this.#waiting === undefined) this.#write(chunk);
    else this.#waiting.push(typeof chunk === 'string' ? chunk : Uint8Array.from(chunk));
  }
}
