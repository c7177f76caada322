import { createHash } from 'node:crypto';
import type { Located } from '../document/resolve.ts';
import type { Direction } from './schema-converter.ts';

/** A component of the document itself: `#/components/schemas/Pet`, and `#/definitions/Pet` in 2.0. */
const component = /^\/(?:components\/schemas|definitions)\/([^/]+)$/;

const validName = /^[A-Za-z0-9_.-]{1,80}$/;

/**
 * Gives each referred schema its name in `$defs`. A component keeps its own. Any other schema, and a component whose name has other characters,
 * also gets a hash of its place, so that names do not depend on the order in which schemas are met.
 */
export class DefinitionNames {
  readonly #base: string;
  readonly #owners = new Map<string, string>();

  /** `base`: the document itself. Names of schemas in other files have the name of the file. */
  constructor(base: string) {
    this.#base = base;
  }

  /** Returns the name of a schema. `variant`: set where inputs and outputs differ. */
  nameOf({ base, pointer }: Pick<Located, 'base' | 'pointer'>, variant: Direction | undefined): string {
    const key = `${base}#${pointer}`;
    const own = base === this.#base ? decoded(component.exec(pointer)?.[1]) : undefined;
    const suffix = variant === 'output' ? '.output' : '';
    const plain =
      own !== undefined && validName.test(own) && own !== '__proto__'
        ? own
        : `${this.#readable(base, pointer)}-${this.#hash(base, pointer)}`;
    const name = `${plain}${suffix}`;
    const owner = this.#owners.get(name) ?? `${key}${suffix}`;
    this.#owners.set(name, owner);
    return owner === `${key}${suffix}` ? name : `${plain}-${this.#hash(base, pointer)}${suffix}`;
  }

  #readable(base: string, pointer: string): string {
    const file = base === this.#base ? [] : [base.replace(/^.*[\\/]/, '').replace(/\.[A-Za-z]+$/, '')];
    const segments = pointer.split('/').slice(1).map(decoded);
    const last = segments.filter((segment) => segment !== undefined && !/^(schema|properties|items|allOf|anyOf|oneOf|\d+)$/.test(segment));
    const words = [...file, ...last.slice(-2)].join('.').replace(/[^A-Za-z0-9_.-]+/g, '_');
    return words.replace(/^[_.-]+/, '').slice(0, 50) || 'schema';
  }

  #hash(base: string, pointer: string): string {
    return createHash('sha256')
      .update(`${relative(base, this.#base)}#${pointer}`)
      .digest('hex')
      .slice(0, 6);
  }
}

function decoded(segment: string | undefined): string | undefined {
  return segment?.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns what differs from the folder of the document, so that a name does not depend on where the document lies. */
function relative(base: string, root: string): string {
  const folder = root.slice(0, Math.max(root.lastIndexOf('/'), root.lastIndexOf('\\')) + 1);
  return base.startsWith(folder) ? base.slice(folder.length) : base;
}
