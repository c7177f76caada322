/** Maximum nesting of a copy. */
const maxDepth = 200;

/** A copy of a value within a number of characters. */
export interface BoundedCopy {
  readonly value: unknown;
  /** True when something was left out. */
  readonly isCut: boolean;
}

/** Returns true when the JSON of a value has at most about `maxCharacters`. Stops counting there. */
export function fitsWithin(value: unknown, maxCharacters: number): boolean {
  return remaining(value, maxCharacters, 0) >= 0;
}

/** Copies a value as JSON. Ends long texts with `…`, and leaves out the items and members that follow the last one with room. */
export function boundedCopy(value: unknown, maxCharacters: number): BoundedCopy {
  const room = { characters: maxCharacters, isCut: false };
  return { value: copy(value, room, 0), isCut: room.isCut };
}

function remaining(value: unknown, characters: number, depth: number): number {
  if (typeof value !== 'object' || value === null) return characters - sizeOfPlain(value);
  if (ArrayBuffer.isView(value)) return characters - value.byteLength;
  if (depth > maxDepth) return -1;
  let left = characters - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = remaining(value[index], left - 1, depth + 1);
    return left;
  }
  for (const key of Object.keys(value)) {
    if (left < 0) return left;
    left = remaining((value as Record<string, unknown>)[key], left - key.length - 4, depth + 1);
  }
  return left;
}

/** Returns the length of a text, number, boolean or nothing in JSON, without escapes. */
function sizeOfPlain(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value).length : 5;
}

interface Room {
  characters: number;
  isCut: boolean;
}

function copy(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') return copyText(value, room);
  if (typeof value === 'bigint') return copyText(String(value), room);
  if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) return null;
  if (typeof value !== 'object' || value === null) {
    room.characters -= sizeOfPlain(value);
    return value;
  }
  if (depth > maxDepth || ArrayBuffer.isView(value)) return leaveOut(room);
  room.characters -= 2;
  return Array.isArray(value) ? copyItems(value, room, depth) : copyMembers(value, room, depth);
}

function copyItems(items: readonly unknown[], room: Room, depth: number): readonly unknown[] {
  const copied: unknown[] = [];
  for (const item of items) {
    if (room.characters <= 0) return leaveOut(room, copied);
    room.characters -= 1;
    copied.push(copy(item, room, depth + 1));
  }
  return copied;
}

function copyMembers(value: object, room: Room, depth: number): unknown {
  const copied: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (room.characters < key.length) return Object.fromEntries(leaveOut(room, copied));
    if (member === undefined) continue;
    room.characters -= key.length + 4;
    copied.push([key, copy(member, room, depth + 1)]);
  }
  return Object.fromEntries(copied);
}

function copyText(text: string, room: Room): string {
  const characters = Math.max(0, room.characters - 2);
  room.characters -= text.length + 2;
  if (text.length <= characters) return text;
  return `${leaveOut(room, text.slice(0, characters)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function leaveOut<T = null>(room: Room, value: T = null as T): T {
  room.isCut = true;
  return value;
}
