import { createHash } from 'node:crypto';
import type canonicalize from 'canonicalize';
import type { Call } from '../../kernel/index.ts';

/** Gives the same key to calls that must have the same result. */
export class CacheKeys {
  readonly #canonicalize: typeof canonicalize;
  readonly #ids = new WeakMap<object, number>();
  #lastId = 0;

  constructor(canonical: typeof canonicalize) {
    this.#canonicalize = canonical;
  }

  /**
   * Returns the cache key of a call: tool, canonical parameters (RFC 8785), caller, origin, and bound credentials. The tool is that of one load: after a
   * reload its code or provider may differ while its definition is the same. Credentials count by their handles, so that a call's own credentials
   * are never shared. Undefined for parameters without a canonical form, such as half a surrogate pair, and for a call that names a value by path,
   * because the file may change.
   */
  keyOf({ tool, parameters, caller, origin, credentials }: Call): string | undefined {
    if (Object.keys(parameters).some((name) => tool.parameters[name]?.reads !== undefined)) return undefined;
    const handles = [...credentials].map(([name, handle]) => [name, this.#idOf(handle)] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = this.toCanonicalJson([this.#idOf(tool), parameters, caller, origin, handles]);
    // Hashed: parameters may be long, and need not stay in memory.
    return text === undefined ? undefined : createHash('sha256').update(text).digest('base64');
  }

  /** Returns canonical JSON (RFC 8785). Undefined for a value without a canonical form. */
  toCanonicalJson(value: unknown): string | undefined {
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
