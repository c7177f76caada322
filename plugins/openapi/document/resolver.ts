import { excerpt, isPlainObject, pointerSegments } from '../../../kernel/index.ts';
import { parseReference } from './reference.ts';
import type { Located, Resolver } from './resolve.ts';
import { escapeSegment } from './walk-values.ts';

/** A file of a document, parsed. */
export interface DocumentFile {
  readonly location: string;
  readonly value: unknown;
  /** Pointers of `$anchor`s and `$dynamicAnchor`s, by name. */
  readonly anchors: ReadonlyMap<string, string>;
}

export interface ResolverParts {
  /** All files, by location. */
  readonly files: ReadonlyMap<string, DocumentFile>;
  /** Returns the location to which the file part of a reference leads, or why it may not be opened. */
  readonly locate: (file: string, base: string) => { readonly location: string } | { readonly refused: string };
  /** Reasons why files could not be read, by location. */
  readonly unread: ReadonlyMap<string, string>;
  /** Places of schemas with an `$id`, by its text. */
  readonly ids: ReadonlyMap<string, { readonly location: string; readonly pointer: string }>;
}

/** Maximum references in a row. */
const maxHops = 100;

/** Returns a resolver over files that are read already. It opens nothing. */
export function createResolver({ files, locate, unread, ids }: ResolverParts): Resolver {
  const known = new Map<string, Map<string, Located | string>>();

  function resolve(reference: string, from: Located): Located | string {
    let ofFile = known.get(from.base);
    if (ofFile === undefined) {
      ofFile = new Map();
      known.set(from.base, ofFile);
    }
    let target = ofFile.get(reference);
    if (target === undefined) {
      target = chase(reference, from.base, { hops: 0 });
      ofFile.set(reference, target);
    }
    return target;
  }

  function chase(reference: string, base: string, budget: { hops: number }): Located | string {
    const seen = new Set<string>();
    let [text, from] = [reference, base];
    for (;;) {
      const target = lookUp(text, from, budget);
      if (typeof target === 'string') return target;
      const next = referenceOf(target.value);
      if (next === undefined) return target;
      const key = `${target.base}#${target.pointer}`;
      if (seen.has(key)) return `"${excerpt(reference, 80)}" is a cycle of references that leads to no value`;
      if (++budget.hops > maxHops) return `"${excerpt(reference, 80)}" is a chain of more than ${maxHops} references`;
      seen.add(key);
      [text, from] = [next, target.base];
    }
  }

  /** Returns the value that a reference names, which may be a reference itself. */
  function lookUp(text: string, base: string, budget: { hops: number }): Located | string {
    const { file, fragment } = parseReference(text);
    const start = startOf(file, base);
    if (typeof start === 'string') return start;
    if (fragment === '') return start;
    if (fragment.startsWith('/')) return walk(start, pointerSegments(fragment), text, budget);
    const anchor = files.get(start.base)?.anchors.get(fragment);
    if (anchor === undefined) return `"${excerpt(text, 80)}" names an anchor that its document does not have`;
    return walk({ ...start, value: files.get(start.base)?.value, pointer: '' }, pointerSegments(anchor), text, budget);
  }

  function startOf(file: string, base: string): Located | string {
    const own = file === '' ? files.get(base) : undefined;
    if (own !== undefined) return { value: own.value, base, pointer: '' };
    const id = ids.get(file);
    if (id !== undefined)
      return walk({ value: files.get(id.location)?.value, base: id.location, pointer: '' }, pointerSegments(id.pointer), file, { hops: 0 });
    const named = locate(file, base);
    if ('refused' in named) return named.refused;
    const target = files.get(named.location);
    if (target !== undefined) return { value: target.value, base: target.location, pointer: '' };
    return unread.get(named.location) ?? `"${excerpt(file, 80)}" was not read with the document`;
  }

  function walk(start: Located, segments: readonly string[], text: string, budget: { hops: number }): Located | string {
    let current = start;
    for (const segment of segments) {
      let next = step(current, segment);
      const through = next === undefined ? referenceOf(current.value) : undefined;
      if (through !== undefined) {
        if (++budget.hops > maxHops) return `"${excerpt(text, 80)}" leads through more than ${maxHops} references`;
        const target = chase(through, current.base, budget);
        if (typeof target === 'string') return target;
        next = step(target, segment);
      }
      if (next === undefined) return `"${excerpt(text, 80)}" leads to nothing: there is no "${excerpt(segment, 40)}" in ${shown(current)}`;
      current = next;
    }
    return current;
  }

  return {
    resolve,
    follow: (located) => {
      const reference = referenceOf(located.value);
      return reference === undefined ? located : resolve(reference, located);
    },
    at: (located, ...segments) => {
      let current: Located | undefined = located;
      for (const segment of segments) {
        current = step(current, segment);
        if (current === undefined) return undefined;
      }
      return current;
    },
  };
}

/** Returns the reference that a value is. A member of that name that is no text, such as a property called `$ref`, is none. */
export function referenceOf(value: unknown): string | undefined {
  const reference = isPlainObject(value) && Object.hasOwn(value, '$ref') ? value['$ref'] : undefined;
  return typeof reference === 'string' ? reference : undefined;
}

function step({ value, base, pointer }: Located, segment: string | number): Located | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const name = String(segment);
  if (Array.isArray(value) ? !/^(0|[1-9]\d*)$/.test(name) || Number(name) >= value.length : !Object.hasOwn(value, name)) return undefined;
  const member = (value as Record<string, unknown>)[name];
  return member === undefined ? undefined : { value: member, base, pointer: `${pointer}/${escapeSegment(name)}` };
}

function shown({ pointer }: Located): string {
  return pointer === '' ? 'the document' : `"${excerpt(pointer, 80)}"`;
}
