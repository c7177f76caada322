import { maxClosureEntries, SchemaGraph } from '../definition/schema/schema-graph.ts';

/** Shared schemas by name: the `$defs` of a provider. */
export type SharedSchemas = Readonly<Record<string, unknown>>;

/** Digests of the shared schemas of one provider that its tools reach. */
export class ReachedSchemas {
  readonly #graph: SchemaGraph;
  #entries = 0;
  #whole: string | undefined;

  constructor(shared: SharedSchemas) {
    this.#graph = new SchemaGraph(shared);
  }

  /** Returns a digest of all shared schemas. */
  digest(): string {
    this.#whole ??= this.#graph.digest();
    return this.#whole;
  }

  /**
   * Returns a function that gives the digest of the schemas which a tool definition reaches; undefined when it reaches none. Call it after all tools
   * were added: where linking may give tools all shared schemas, because their closures are too large together, the digest covers all as well.
   */
  add(definition: unknown): () => string | undefined {
    const { size, digest: own } = this.#graph.reachOf(definition);
    if (size === 0) return () => undefined;
    // Linking counts the closures of the input and of the output.
    this.#entries += 2 * size;
    return () => (this.#entries > maxClosureEntries ? this.digest() : own);
  }
}

/** Returns the names of shared schemas that a tool reached when it was accepted or reaches now, and that differ. */
export function differingSchemas(
  before: { readonly definition: unknown; readonly shared?: SharedSchemas | undefined },
  after: { readonly definition: unknown; readonly shared?: SharedSchemas | undefined },
  graphOf: (shared: SharedSchemas) => SchemaGraph,
): readonly string[] {
  const digestsOf = ({ definition, shared }: typeof before): ReadonlyMap<string, string> =>
    shared === undefined ? new Map() : graphOf(shared).digestsOf(definition);
  const [former, present] = [digestsOf(before), digestsOf(after)];
  return [...new Set([...former.keys(), ...present.keys()])].filter((name) => former.get(name) !== present.get(name)).sort();
}
