/** A text within an item. */
export interface NestedText {
  /** JSON Pointer; the empty text for the value itself. */
  readonly path: string;
  readonly text: string;
  /** True for the name of a member. */
  readonly isName: boolean;
}

interface Open {
  readonly value: unknown;
  readonly parent?: Open;
  readonly key: string;
}

/** Yields all texts of a value in their order, names of members before their values. Cycles and depth do no harm: nothing is read twice. */
export function* textsOf(value: unknown): Generator<NestedText> {
  const seen = new Set<object>();
  const names = new Set<string>();
  const open: Open[] = [{ value, key: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: current } = next;
    if (typeof current === 'string') yield nested(next, current, false);
    if (typeof current !== 'object' || current === null || seen.has(current)) continue;
    seen.add(current);
    const isList = Array.isArray(current);
    const members: Open[] = [];
    for (const [key, member] of Object.entries(current)) {
      if (!isList && !names.has(key)) {
        names.add(key);
        yield nested({ value: undefined, parent: next, key }, key, true);
      }
      if (typeof member === 'string' || (typeof member === 'object' && member !== null)) members.push({ value: member, parent: next, key });
    }
    for (const member of members.reverse()) open.push(member);
  }
}

function nested(open: Open, text: string, isName: boolean): NestedText {
  return {
    text,
    isName,
    // Only what is found needs it.
    get path() {
      return pointer(open);
    },
  };
}

/** Longest pointer that is returned; the rest is left out. */
const maxPath = 200;

function pointer(open: Open): string {
  const keys: string[] = [];
  let length = 0;
  for (let at: Open | undefined = open; at?.parent !== undefined && length < maxPath; at = at.parent) {
    keys.push(at.key.slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1'));
    length += at.key.length + 1;
  }
  return keys.length === 0 ? '' : `/${keys.reverse().join('/')}`;
}
