import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { createLogger, isPlainObject, type Logger } from '../../../../kernel/index.ts';

/** A line that has no end for so many characters is a record of its own. */
const maxLine = 1_000_000;

/** Makes lines of JSON of whatever is printed: a line that is one JSON object stays as it is, any other becomes the message of a record. */
export class JsonLines {
  /** Writes records whatever level the operator asked for. */
  readonly logger: Logger;
  readonly #write: (text: string) => void;
  // Own text: lines of the log, in pieces
  readonly #decoder = new StringDecoder('utf8');
  #open = '';

  /** `write` gets whole lines, each with its line break. */
  constructor(write: (text: string) => void) {
    this.#write = write;
    this.logger = createLogger({ format: 'json', env: {}, write });
  }

  take(printed: string | Uint8Array): void {
    this.#open += typeof printed === 'string' ? printed : this.#decoder.write(printed);
    const lines = this.#open.split(/\r?\n/);
    this.#open = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
    if (this.#open.length > maxLine) this.end();
  }

  /** Writes what has no line break yet. */
  end(): void {
    const rest = this.#open + this.#decoder.end();
    this.#open = '';
    this.#line(rest);
  }

  #line(line: string): void {
    const text = stripVTControlCharacters(line).trimEnd();
    if (isRecord(line)) this.#write(`${line}\n`);
    else if (text !== '') this.logger.info(text);
  }
}

function isRecord(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    // No number: it is only asked whether it is an object
    return isPlainObject(JSON.parse(line));
  } catch {
    return false;
  }
}
