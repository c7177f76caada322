import { wordsOf } from './words.ts';

/** Exactness of a tool name in a query: 2 when literal, 1 when split or spelled differently. */
export type Exactness = 1 | 2;

/** Index of tool names, to find names in a query. */
export class ToolNames {
  readonly #toolsByKey = new Map<string, { readonly id: number; readonly name: string }[]>();

  add(id: number, name: string): void {
    const key = keyOf(name);
    const others = this.#toolsByKey.get(key);
    if (others !== undefined) others.push({ id, name });
    else if (key !== '') this.#toolsByKey.set(key, [{ id, name }]);
  }

  /** Finds the names in a query. A name of several words counts anywhere, a name of one word ("search") only as the whole query. */
  findIn(query: string): ReadonlyMap<number, Exactness> {
    const whole = query.trim();
    const parts = [...new Set(whole.split(/\s+/))].filter((part) => wordsOf(part).length > 1);
    const said = [...parts, whole].flatMap((text) =>
      (this.#toolsByKey.get(keyOf(text)) ?? []).map(({ id, name }) => [id, name === text ? 2 : 1] as const),
    );
    return new Map(said);
  }
}

function keyOf(name: string): string {
  return wordsOf(name).join(' ');
}
