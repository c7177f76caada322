/** A difference that is known, and why it is there. */
interface KnownDifference {
  readonly method: string;
  readonly pattern: RegExp;
  readonly reason: string;
}

/** Differences beside the rewrites, each with its reason. Those that begin with "to mend" are faults. */
const knownDifferences: readonly KnownDifference[] = [
  listed(
    /^\S+\.inputSchema\.\$schema: nothing through us/,
    'a listed schema is written out for models, in the dialect that MCP has by default',
  ),
  listed(
    /^\S+\.inputSchema\.\S+\.(default|minItems|format): nothing through us/,
    'keywords that a provider of models refuses stand in the description',
  ),
  listed(/^\S+\.inputSchema\.\S+\.description: .* through us/, 'such keywords, and the limit of a description'),
  listed(/^\S+\.description: "(Recursively search|Read the complete)/, 'the limit of a description'),
  listed(/^\S+\.annotations\.title: .* through us, nothing directly$/, 'clients of 2025-03-26 read the title there'),
  listed(/^\S+\.title: "Srv .*" through us, nothing directly$/, 'a tool without a title gets one from its name'),
  listed(/^\S+\.annotations\.destructiveHint: false through us, nothing directly$/, 'a tool that is read-only destroys nothing'),
  listed(/^\S+\.execution: nothing through us/, 'tasks of 2025-11-25 are not relayed'),
  listed(/^\S+\.outputSchema: nothing through us/, 'to mend: output schemas are listed only where they are checked strictly'),
  {
    method: 'tools/call',
    pattern: /\.params\.message: "The MCP server \\"srv\\" asks: /,
    reason: 'a person must know who asks',
  },
  {
    method: 'tools/call',
    pattern: /\.params\.mode: nothing through us, "form" directly$/,
    reason: 'to mend: the mode is lost; "form" by default',
  },
  { method: 'tools/call', pattern: /\.params\.temperature: nothing through us/, reason: 'to mend: members of a sampling request are lost' },
  {
    method: 'tools/call',
    pattern: /^logs\[\d+\]\.logger: "srv_log-messages" through us/,
    reason: 'to mend: the name of the logger is lost',
  },
  { method: 'tools/call', pattern: /^logs\[\d+\]\.data: ".*" through us, \{/, reason: 'to mend: data of a log message becomes a text' },
  { method: 'prompts/list', pattern: /\.arguments: \[\] through us, nothing directly$/, reason: 'a list of none says the same' },
  {
    method: 'prompts/get',
    pattern: /^answer\.description: ".*" through us/,
    reason: 'to mend: the description of the listing stands in place of that of the result',
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
