import { wordsOf } from './words.ts';

/** How exactly a query says a name: 2 to the letter, 1 divided or written otherwise. */
export type Exactness = 1 | 2;

/** Names of tools, which a query may say. */
export class NamedTools {
  readonly #named = new Map<string, { readonly id: number; readonly name: string }[]>();

  add(id: number, name: string): void {
    const key = keyOf(name);
    const others = this.#named.get(key);
    if (others !== undefined) others.push({ id, name });
    else if (key !== '') this.#named.set(key, [{ id, name }]);
  }

  /** A name of several words counts anywhere in a query, a name of one word ("search") only where it is all of the query. */
  in(query: string): ReadonlyMap<number, Exactness> {
    const whole = query.trim();
    const parts = [...new Set(whole.split(/\s+/))].filter((part) => wordsOf(part).length > 1);
    const said = [...parts, whole].flatMap((text) =>
      (this.#named.get(keyOf(text)) ?? []).map(({ id, name }) => [id, name === text ? 2 : 1] as const),
    );
    return new Map(said);
  }
}

function keyOf(name: string): string {
  return wordsOf(name).join(' ');
}
