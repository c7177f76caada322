import { isLarge, type JsonValue, LongWork, type Maybe } from '../../../kernel/index.ts';

/** Number of pieces joined at a time: a million at once would take as long as all the rest. */
const together = 1000;

/** Writes JSON without blanks, as `JSON.stringify` does. Writes a large value in parts, and yields to the event loop between them. */
export function compactJson(value: JsonValue): Maybe<string> {
  return isLarge(value) ? new Writing().textOf(value) : JSON.stringify(value);
}

class Writing {
  readonly #work = new LongWork();
  readonly #texts: string[] = [];
  #pieces: string[] = [];

  async textOf(value: JsonValue): Promise<string> {
    await this.#write(value);
    this.#join();
    return this.#texts.join('');
  }

  async #write(value: JsonValue): Promise<void> {
    if (this.#work.isDue) await this.#work.rest();
    if (typeof value !== 'object' || value === null) {
      this.#pieces.push(JSON.stringify(value));
      return;
    }
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    const count = keys?.length ?? (value as readonly JsonValue[]).length;
    this.#pieces.push(keys === undefined ? '[' : '{');
    for (let index = 0; index < count; index++) {
      const key = keys?.[index];
      const member = (value as Readonly<Record<string | number, JsonValue>>)[key ?? index] as JsonValue;
      this.#pieces.push(index === 0 ? '' : ',', key === undefined ? '' : `${JSON.stringify(key)}:`);
      if (isLarge(member)) await this.#write(member);
      else this.#pieces.push(JSON.stringify(member));
      if (this.#pieces.length < together) continue;
      this.#join();
      if (this.#work.isDue) await this.#work.rest();
    }
    this.#pieces.push(keys === undefined ? ']' : '}');
  }

  #join(): void {
    this.#texts.push(this.#pieces.join(''));
    this.#pieces = [];
  }
}
