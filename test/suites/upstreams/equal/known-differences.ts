/** A difference that is known, and why it is there. */
interface KnownDifference {
  readonly method: string;
  readonly pattern: RegExp;
  readonly reason: string;
}

/** Differences beside the rewrites, each with its reason. Those that begin with "to mend" are faults. */
const knownDifferences: readonly KnownDifference[] = [
  listed(/^\S+\.execution: nothing through us/, 'tasks of 2025-11-25 are not relayed'),
  {
    method: 'tools/call',
    pattern: /\.params\.message: "The MCP server \\"srv\\" asks: /,
    reason: 'a person must know who asks',
  },
];

function listed(pattern: RegExp, reason: string): KnownDifference {
  return { method: 'tools/list', pattern, reason };
}

/** The known differences, and which of them a run has found. */
export class KnownDifferences {
  readonly #seen = new Set<KnownDifference>();

  has(method: string, difference: string): boolean {
    const known = knownDifferences.find((entry) => entry.method === method && entry.pattern.test(difference));
    if (known !== undefined) this.#seen.add(known);
    return known !== undefined;
  }

  /** Patterns of those that no run has found. */
  get unseen(): readonly string[] {
    return knownDifferences.filter((entry) => !this.#seen.has(entry)).map(({ pattern }) => pattern.source);
  }
}
