import { isPlainObject, subschemaKeywords } from '../../../kernel/index.ts';
import type { Located, Resolver } from '../document/resolve.ts';
import { withSegments } from './located.ts';
import type { Direction } from './schema-converter.ts';

const { single, lists, named } = subschemaKeywords;

interface Scan {
  /** True for a schema that itself has a readOnly or writeOnly part. */
  readonly isMarked: boolean;
  readonly references: readonly Located[];
}

/** Decides about readOnly and writeOnly. */
export class Directions {
  readonly #resolver: Resolver;
  readonly #differs = new Map<string, boolean>();

  constructor(resolver: Resolver) {
    this.#resolver = resolver;
  }

  /** True for a member that values of this direction do not have: a readOnly one of an input, a writeOnly one of an output. */
  isHidden(member: Located, direction: Direction): boolean {
    const [hides, other] = direction === 'input' ? ['readOnly', 'writeOnly'] : ['writeOnly', 'readOnly'];
    const isMarked = (located: Located, depth: number): boolean => {
      const { value } = located;
      if (!isPlainObject(value) || depth > 5) return false;
      if (value[hides as string] === true) return value[other as string] !== true;
      const target = typeof value['$ref'] === 'string' ? this.#resolver.follow(located) : located;
      if (typeof target === 'string') return false;
      if (target !== located) return isMarked(target, depth + 1);
      const { allOf } = value;
      return Array.isArray(allOf) && allOf.some((part, index) => isMarked(withSegments(located, part, 'allOf', index), depth + 1));
    };
    return isMarked(member, 0);
  }

  /** True for a schema whose inputs differ from its outputs, also in a schema to which it leads. Each schema is read once. */
  differs(schema: Located): boolean {
    const before = this.#differs.get(keyOf(schema));
    if (before !== undefined) return before;
    const referrers = new Map<string, string[]>();
    const found = new Map<string, Located>([[keyOf(schema), schema]]);
    const marked: string[] = [];
    // A Map yields what is added while it is read.
    for (const [key, located] of found) {
      const { isMarked, references } = this.#scan(located);
      if (isMarked) marked.push(key);
      for (const target of references) {
        const targetKey = keyOf(target);
        const decided = this.#differs.get(targetKey);
        if (decided === true) marked.push(key);
        if (decided !== undefined) continue;
        const known = referrers.get(targetKey);
        if (known === undefined) referrers.set(targetKey, [key]);
        else known.push(key);
        if (!found.has(targetKey)) found.set(targetKey, target);
      }
    }
    for (const key of found.keys()) this.#differs.set(key, false);
    for (let key = marked.pop(); key !== undefined; key = marked.pop()) {
      if (this.#differs.get(key) === true) continue;
      this.#differs.set(key, true);
      marked.push(...(referrers.get(key) ?? []));
    }
    return this.#differs.get(keyOf(schema)) === true;
  }

  #scan(schema: Located): Scan {
    const references: Located[] = [];
    let isMarked = false;
    const visit = (node: unknown, depth: number): void => {
      if (!isPlainObject(node) || depth > 100) return;
      if (node['readOnly'] === true || node['writeOnly'] === true) isMarked = true;
      if (typeof node['$ref'] === 'string') {
        const target = this.#resolver.resolve(node['$ref'], { ...schema, value: node });
        if (typeof target !== 'string') references.push(target);
      }
      for (const [key, value] of Object.entries(node)) {
        if (single.has(key)) visit(value, depth + 1);
        if (lists.has(key) && Array.isArray(value)) for (const part of value) visit(part, depth + 1);
        if (named.has(key) && typeof value === 'object' && value !== null) for (const part of Object.values(value)) visit(part, depth + 1);
      }
    };
    visit(schema.value, 0);
    return { isMarked, references };
  }
}

/** Returns the place of a schema, as one text. */
export function keyOf({ base, pointer }: Located): string {
  return `${base}#${pointer}`;
}
