import type { Command } from '../../../kernel/index.ts';
import { parseOneOf } from '../../shared/flags/values.ts';
import { acceptFindingFlag } from '../../shared/scanner/review/accept-finding-flag.ts';

const yes = { flag: '--yes', description: 'accept without asking' };

const acceptCommand: Command = {
  name: 'accept',
  description:
    'Accept what is withheld, as it is now: tools, skills, plugins, documents and MCP servers that differ from toolkit.lock, and code that a model wrote or that has changed since it was loaded. Without names it asks every server and document. Shows what differs and asks at a terminal; changes of toolkit.lock need --yes without one. A running server applies this with the next reload; a module that it has already loaded stays until it starts again.',
  arguments: [
    {
      name: '[names...]',
      description: 'tools, skills, plugins, documents, MCP servers, or files that are listed as pending (default: all that differ)',
    },
  ],
  flags: [yes, acceptFindingFlag],
  topics: ['tools'],
  examples: [
    { line: 'toolkit accept', does: 'all that is withheld' },
    { line: 'toolkit accept report_monthly --yes', does: 'one tool, without a question' },
    { line: 'toolkit accept github', does: 'see and accept the changes of one MCP server' },
  ],
  async run(invocation) {
    const { accept } = await import('./accept.ts');
    await accept(invocation);
  },
};

/** The commands of the lock. */
export const lockCommands: readonly Command[] = [
  {
    name: 'lock',
    description:
      'Write toolkit.lock: an entry for each tool, plugin and skill that has none, with its definition in toolkit.lock.d. From then on what differs from its entry is withheld. With --check: exit code 0 when all is equal, 1 after an error, 2 when something differs, 4 when something is against the policy.',
    flags: [
      { flag: '--check', description: 'compare only; write nothing' },
      {
        flag: '--format <name>',
        description: 'of --check: text, json or sarif (default: text)',
        parse: parseOneOf(['text', 'json', 'sarif']),
      },
      { flag: '--explain <name>', description: 'show what differs from the entry, as a diff' },
      { flag: '--update', description: 'the same as toolkit accept' },
      yes,
      acceptFindingFlag,
    ],
    topics: ['tools'],
    examples: [
      { line: 'toolkit lock', does: 'begin, or add what is new' },
      { line: 'toolkit lock --check --format sarif', does: 'in continuous integration' },
      { line: 'toolkit lock --explain report_monthly', does: 'see a change before it is accepted' },
    ],
    async run(invocation) {
      const { runLock } = await import('./lock.ts');
      await runLock(invocation);
    },
  },
  acceptCommand,
  { ...acceptCommand, name: 'tools accept', description: `The same as "toolkit accept". ${acceptCommand.description}`, examples: [] },
];
