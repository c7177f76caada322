import { createHash } from 'node:crypto';
import type canonicalize from 'canonicalize';
import type { Call } from '../../kernel/index.ts';

/** Gives calls that must have the same result the same key. */
export class Keys {
  readonly #canonicalize: typeof canonicalize;
  readonly #ids = new WeakMap<object, number>();
  #lastId = 0;

  constructor(canonical: typeof canonicalize) {
    this.#canonicalize = canonical;
  }

  /**
   * By tool, parameters in their canonical form (RFC 8785), caller, origin, and which credentials are bound. The tool is that of one load:
   * after a reload its code or its provider may be others, though its definition is the same. Credentials count by their handles, so that
   * those that came with a call are never shared. Undefined for parameters without a canonical form, such as half a surrogate pair, and for a call
   * that names a value by path, where another one may be the next time.
   */
  of({ tool, parameters, caller, origin, credentials }: Call): string | undefined {
    if (Object.keys(parameters).some((name) => tool.parameters[name]?.reads !== undefined)) return undefined;
    const handles = [...credentials].map(([name, handle]) => [name, this.#idOf(handle)] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = this.canonical([this.#idOf(tool), parameters, caller, origin, handles]);
    // Parameters may be long, and they are nobody's business here.
    return text === undefined ? undefined : createHash('sha256').update(text).digest('base64');
  }

  /** RFC 8785. Undefined for what has no such form. */
  canonical(value: unknown): string | undefined {
    try {
      return this.#canonicalize(value);
    } catch {
      return undefined;
    }
  }

  #idOf(object: object): number {
    const known = this.#ids.get(object);
    if (known !== undefined) return known;
    this.#lastId++;
    this.#ids.set(object, this.#lastId);
    return this.#lastId;
  }
}
