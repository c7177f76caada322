import type { Command } from '../../../../kernel/index.ts';
import { choiceFlags } from '../../../shared/flags/tool-choice.ts';
import { toolNames } from '../../../shared/flags/tool-names.ts';
import { parseList, parseOneOf } from '../../../shared/flags/values.ts';

const rowKinds = ['provider', 'tool'] as const;

/** `toolkit tokens`: shows the token cost of the tool list. */
export const tokensCommand: Command = {
  name: 'tokens',
  description: "Estimate how many tokens of a model's context the list of all tools takes, by provider or tool.",
  flags: [
    ...choiceFlags,
    {
      flag: '--tools <names>',
      description: 'comma-separated tools that are offered; * stands for any characters (default: those of the configuration)',
      parse: parseList,
      complete: toolNames,
    },
    {
      flag: '--by <kind>',
      description: 'a row for each provider, or for each tool (default: provider; tool with --provider)',
      parse: parseOneOf(rowKinds),
      complete: async () => rowKinds,
    },
    { flag: '--json', description: 'print JSON' },
  ],
  examples: [
    { line: 'toolkit tokens', does: 'the providers, the largest first, and what --expose search takes instead' },
    { line: 'toolkit tokens --provider github', does: 'its tools, the largest first' },
    { line: "toolkit tokens --tools 'fs_*,git_*' --json", does: 'for programs: all, search, providers, tools' },
  ],
  async run({ flags, createKernel, write, terminal }) {
    const { tools } = flags;
    // Set, because a server that lists few tools has one tool more.
    const kernel = await createKernel({ mcp: { expose: 'auto', ...(tools === undefined ? {} : { tools }) } });
    try {
      const [{ tokenCosts }, { tokenReport, tokenJson }] = await Promise.all([import('./token-costs.ts'), import('./token-report.ts')]);
      const costs = tokenCosts(kernel, flags);
      const kind = flags['by'] ?? (flags['provider'] === undefined ? 'provider' : 'tool');
      write(flags['json'] === true ? tokenJson(costs) : await tokenReport(costs, kind === 'tool', terminal));
    } finally {
      await kernel.close();
    }
  },
};
