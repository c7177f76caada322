import type { Random } from '../../../support/random.ts';

/** Changes that make a message another one, most of them a wrong one. */
const changes = ['remove', 'replace', 'other text', 'null', 'huge', 'huge integer', 'add', 'rename', 'nest'] as const;

export interface Mutation {
  readonly change: (typeof changes)[number];
  /** JSON Pointer of the member or item that was changed, added or removed; ` to ` and the new name of one that was renamed. */
  readonly pointer: string;
  readonly message: object;
}

/** An object or list of the message, with its pointer. */
interface Holder {
  readonly pointer: string;
  readonly value: Record<string, unknown>;
}

const values = [true, false, 5, 1.5, -1, 'text', '', [], {}, ['a'], [{}], { a: 1 }, { a: 'b' }] as const;
const hugeIntegers = [2 ** 53, -(2 ** 53), 1e300] as const;
const hugeValues = ['x'.repeat(20_000), Array(300).fill(1), nested(100)] as const;

/** Names that JavaScript objects inherit. */
const inheritedNames = ['__proto__', 'constructor', 'toString'] as const;

/** Names that a member of the protocol has somewhere. */
const names = [
  ...['unknown', 'cursor', 'name', 'title', 'arguments', '_meta', 'task', 'uri', 'progressToken', 'description', 'icons', 'annotations'],
  ...['requestId', 'reason', 'content', 'context', 'url', 'tasks', 'id', 'result', 'error', 'method', 'params'],
  'io.modelcontextprotocol/related-task',
] as const;

/** Returns a copy of the message with one change, the same for the same random numbers. */
export function mutate(random: Random, original: object): Mutation {
  const message = structuredClone(original);
  const holders = holdersIn({ pointer: '', value: message as Record<string, unknown> });
  const [outermost] = holders as [Holder, ...Holder[]];
  // The members of JSON-RPC are few and checked in one place; `_meta` is the largest part of small messages.
  const isMeta = ({ pointer }: Holder): boolean => pointer.includes('/_meta');
  const inner = random.chance(0.7) ? holders.filter((one) => !isMeta(one)) : holders;
  const { pointer: parent, value: holder } = random.chance(0.1) ? outermost : random.oneOf(inner);
  const keys = Object.keys(holder);
  const change = keys.length === 0 ? 'add' : random.oneOf(changes);
  const key = change === 'add' ? random.oneOf(random.chance(0.3) ? inheritedNames : names) : random.oneOf(keys);
  const before = holder[key];
  let pointer = pointerTo(parent, key);
  const set = (name: string, value: unknown): void => {
    // An assignment to `__proto__` would not add a member.
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
  };
  const apply: Readonly<Record<Mutation['change'], () => void>> = {
    remove: () => (Array.isArray(holder) ? void holder.splice(Number(key), 1) : void delete holder[key]),
    replace: () => set(key, random.oneOf(values)),
    'other text': () => set(key, `${typeof before === 'string' ? before : ''}✓`),
    null: () => set(key, null),
    huge: () => set(key, random.oneOf(hugeValues)),
    'huge integer': () => set(key, random.oneOf(hugeIntegers)),
    add: () => (Array.isArray(holder) ? void holder.push(random.oneOf(values)) : set(key, random.oneOf([...values, null]))),
    rename: () => {
      if (Array.isArray(holder)) return void holder.reverse();
      const name = random.oneOf([key.toUpperCase(), `${key}s`, ...names]);
      delete holder[key];
      set(name, before);
      pointer += ` to ${pointerTo('', name).slice(1)}`;
    },
    nest: () => set(key, random.oneOf([[before], { [key]: before }])),
  };
  apply[change]();
  return { change, pointer, message };
}

/** Returns the value's objects and lists, itself first. */
function holdersIn(holder: Holder): readonly Holder[] {
  const inner = Object.entries(holder.value).filter(([, value]) => typeof value === 'object' && value !== null);
  return [
    holder,
    ...inner.flatMap(([key, value]) => holdersIn({ pointer: pointerTo(holder.pointer, key), value: value as Record<string, unknown> })),
  ];
}

function pointerTo(parent: string, key: string): string {
  return `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function nested(depth: number): unknown {
  return Array.from({ length: depth }).reduce((inner) => [inner], [] as unknown);
}
