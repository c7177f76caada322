import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { createLogger, isPlainObject, type Logger } from '../../../../kernel/index.ts';

/** Maximum length of a line without an end, in characters; a longer one is written as a record of its own. */
const maxLine = 1_000_000;

/** Converts printed text to lines of JSON: a line that is a JSON object stays as it is, any other becomes the message of a record. */
export class JsonLines {
  /** Writes records, whatever level is configured. */
  readonly logger: Logger;
  readonly #write: (text: string) => void;
  // Own text: lines of the log, in pieces
  readonly #decoder = new StringDecoder('utf8');
  #partialLine = '';

  /** `write` receives complete lines with their line ends. */
  constructor(write: (text: string) => void) {
    this.#write = write;
    this.logger = createLogger({ format: 'json', env: {}, write });
  }

  add(printed: string | Uint8Array): void {
    this.#partialLine += typeof printed === 'string' ? printed : this.#decoder.write(printed);
    const lines = this.#partialLine.split(/\r?\n/);
    this.#partialLine = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
    if (this.#partialLine.length > maxLine) this.end();
  }

  /** Writes the text that has no line end yet. */
  end(): void {
    const rest = this.#partialLine + this.#decoder.end();
    this.#partialLine = '';
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
    // No number: only whether it is an object matters
    return isPlainObject(JSON.parse(line));
  } catch {
    return false;
  }
}
