import { isLarge, type JsonValue, LongWork, type MaybePromise } from '../../../kernel/index.ts';

/** Number of pieces joined at a time: a million at once would take as long as all the rest. */
const maxPieces = 1000;

/** Writes JSON without blanks, as `JSON.stringify` does. Writes a large value in parts, and yields to the event loop between them. */
export function compactJson(value: JsonValue): MaybePromise<string> {
  return isLarge(value) ? new JsonWriter().write(value) : JSON.stringify(value);
}

class JsonWriter {
  readonly #work = new LongWork();
  readonly #texts: string[] = [];
  #pieces: string[] = [];

  async write(value: JsonValue): Promise<string> {
    await this.#writeValue(value);
    this.#join();
    return this.#texts.join('');
  }

  async #writeValue(value: JsonValue): Promise<void> {
    if (this.#work.isDue) await this.#work.yieldToEventLoop();
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
      if (isLarge(member)) await this.#writeValue(member);
      else this.#pieces.push(JSON.stringify(member));
      if (this.#pieces.length < maxPieces) continue;
      this.#join();
      if (this.#work.isDue) await this.#work.yieldToEventLoop();
    }
    this.#pieces.push(keys === undefined ? ']' : '}');
  }

  #join(): void {
    this.#texts.push(this.#pieces.join(''));
    this.#pieces = [];
  }
}
