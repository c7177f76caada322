import { describeValue, excerpt, type JsonValue } from '../../../kernel/index.ts';
import { indexOf } from './json-pointer.ts';

/** Thrown when an operation needs a path that the document does not have. */
export class PatchPathError extends Error {}

type JsonList = JsonValue[];
type JsonMembers = Record<string, JsonValue>;

interface MemberPosition {
  readonly parent: JsonList | JsonMembers;
  readonly name: string;
}

/** A JSON document that is changed in place. Paths are the names of a JSON pointer; a path that does not fit throws PatchPathError. */
export class PatchedDocument {
  /** An object around the document, so that the root has a parent too. */
  readonly #outer: { root: JsonValue };

  constructor(root: JsonValue) {
    this.#outer = { root };
  }

  get root(): JsonValue {
    return this.#outer.root;
  }

  get(names: readonly string[]): JsonValue {
    return member(this.#locate(names));
  }

  /** Adds a member, or inserts an item before the one at its index. The name `-` appends. */
  add(names: readonly string[], value: JsonValue): void {
    const position = this.#locate(names);
    if (Array.isArray(position.parent)) insertItem(position.parent, position.name, value);
    else setMember(position, value);
  }

  replace(names: readonly string[], value: JsonValue): void {
    const position = this.#locate(names);
    member(position);
    setMember(position, value);
  }

  remove(names: readonly string[]): JsonValue {
    if (names.length === 0) throw new PatchPathError('the whole document cannot be removed. Replace it');
    const { parent, name } = this.#locate(names);
    const value = member({ parent, name });
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else delete parent[name];
    return value;
  }

  move(from: readonly string[], to: readonly string[]): void {
    this.get(from);
    const isAround = from.every((name, index) => name === to[index]);
    if (isAround && from.length < to.length) throw new PatchPathError('a value cannot be moved into itself');
    if (!isAround) this.add(to, this.remove(from));
  }

  #locate(names: readonly string[]): MemberPosition {
    let position: MemberPosition = { parent: this.#outer as JsonMembers, name: 'root' };
    for (const name of names) {
      const parent = member(position);
      if (typeof parent !== 'object' || parent === null)
        throw new PatchPathError(`there is no "${excerpt(name, 60)}" in ${describeValue(parent)}`);
      position = { parent: parent as MemberPosition['parent'], name };
    }
    return position;
  }
}

function member({ parent, name }: MemberPosition): JsonValue {
  const isThere = Array.isArray(parent) ? (indexOf(name) ?? parent.length) < parent.length : Object.hasOwn(parent, name);
  if (isThere) return (parent as JsonMembers)[name] as JsonValue;
  throw new PatchPathError(
    `there is no "${excerpt(name, 60)}" in ${Array.isArray(parent) ? `a list of ${parent.length}` : 'the object there'}`,
  );
}

function insertItem(items: JsonList, name: string, value: JsonValue): void {
  const { length } = items;
  const index = name === '-' ? length : indexOf(name);
  if (index === undefined || index > length) {
    throw new PatchPathError(`"${excerpt(name, 60)}" is no place in a list of ${length}: expected 0 to ${length}, or "-" for its end`);
  }
  items.splice(index, 0, value);
}

/** Defines the member as data: an assignment to `__proto__` would not create one. */
function setMember({ parent, name }: MemberPosition, value: JsonValue): void {
  Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
}
