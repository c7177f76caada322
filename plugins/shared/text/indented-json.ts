import { isLarge, type JsonValue, LongWork, type Maybe } from '../../../kernel/index.ts';

/** Pieces of text that are put together at a time: a million at once would take as long as all the rest. */
const together = 1000;

/** JSON with two blanks for each level, as `JSON.stringify` writes it; of a large value part by part, so that others need not wait for all of it. */
export function indentedJson(value: JsonValue): Maybe<string> {
  return isLarge(value) ? new Writing().textOf(value) : JSON.stringify(value, null, 2);
}

class Writing {
  readonly #work = new LongWork();
  readonly #texts: string[] = [];
  #pieces: string[] = [];

  async textOf(value: JsonValue): Promise<string> {
    await this.#write(value, '');
    this.#join();
    return this.#texts.join('');
  }

  async #write(value: JsonValue, indent: string): Promise<void> {
    if (this.#work.isDue) await this.#work.rest();
    if (typeof value !== 'object' || value === null) {
      this.#pieces.push(JSON.stringify(value));
      return;
    }
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    const count = keys?.length ?? (value as readonly JsonValue[]).length;
    const inner = `${indent}  `;
    this.#pieces.push(keys === undefined ? '[' : '{');
    for (let index = 0; index < count; index++) {
      const key = keys?.[index];
      const member = (value as Readonly<Record<string | number, JsonValue>>)[key ?? index] as JsonValue;
      this.#pieces.push(index === 0 ? '\n' : ',\n', inner, key === undefined ? '' : `${JSON.stringify(key)}: `);
      if (isLarge(member)) await this.#write(member, inner);
      else this.#pieces.push(small(member, inner));
      if (this.#pieces.length < together) continue;
      this.#join();
      if (this.#work.isDue) await this.#work.rest();
    }
    this.#pieces.push('\n', indent, keys === undefined ? ']' : '}');
  }

  #join(): void {
    this.#texts.push(this.#pieces.join(''));
    this.#pieces = [];
  }
}

function small(value: JsonValue, indent: string): string {
  return typeof value === 'object' ? JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`) : JSON.stringify(value);
}
