import { approvalStatuses, type Command } from '../../kernel/index.ts';
import { parseOneOf, parsePath, parseWhole } from '../shared/flags/values.ts';
import { filterFlags, idArgument, jsonFlag, valueFlag, yesFlag } from './commands/approval-arguments.ts';
import { approveCommand, refuseCommand } from './commands/decide-commands.ts';

const maxListed = 1000;

const listed = [...approvalStatuses, 'all'] as const;

/** `toolkit approvals …`: the commands for calls that wait for a person. */
export const approvalCommands: readonly Command[] = [
  {
    name: 'approvals list',
    description:
      'List the calls that wait for a person, the newest first, of all callers. With --status also those that were decided, until their retention ends.',
    flags: [
      {
        flag: '--status <status>',
        description: `only those: ${listed.join(', ')}`,
        default: 'waiting',
        parse: parseOneOf(listed),
        complete: async () => listed,
      },
      ...filterFlags,
      valueFlag('--limit <number>', `approvals at most, from 1 to ${maxListed}`, { default: '20', parse: parseWhole(1, maxListed) }),
      valueFlag('--after <mark>', 'continue after an earlier list, with the mark that it printed'),
      jsonFlag,
    ],
    examples: [
      { line: 'toolkit approvals list', does: 'what waits for a person' },
      {
        line: 'toolkit approvals list --status all --caller ada --json',
        does: 'for programs: approvals, unreadable, and next for --after',
      },
    ],
    async run(invocation) {
      await (await import('./commands/list.ts')).list(invocation);
    },
  },
  {
    name: 'approvals show',
    description:
      'Show one call that waits for a person, or waited: all its arguments, what it will run and where, why a person is asked, who decided, and what differs from the last approved call. Secrets are masked; nothing is cut.',
    arguments: [idArgument],
    flags: [jsonFlag],
    examples: [{ line: 'toolkit approvals show <id> --json', does: 'for programs, with digest for "toolkit approvals approve --digest"' }],
    async run(invocation) {
      await (await import('./commands/show.ts')).show(invocation);
    },
  },
  approveCommand,
  refuseCommand,
  {
    name: 'approvals export',
    description:
      'Write approvals as lines of JSON, one each, the newest first, as "approvals show --json" prints them but without preview and comparison. Secrets are masked. Ends with 1 when some cannot be read here.',
    flags: [
      {
        flag: '--status <status>',
        description: `only those: ${approvalStatuses.join(', ')}`,
        parse: parseOneOf(approvalStatuses),
        complete: async () => approvalStatuses,
      },
      ...filterFlags,
      {
        flag: '--file <path>',
        description: 'write to this new file, which only you may read; a file that exists is not overwritten (default: standard output)',
        parse: parsePath,
      },
    ],
    examples: [{ line: 'toolkit approvals export --caller ada --file ada.jsonl', does: 'everything that is known of the calls of ada' }],
    async run(invocation) {
      await (await import('./commands/export.ts')).exportApprovals(invocation);
    },
  },
  {
    name: 'approvals erase',
    description:
      'Delete all approvals of one caller, those that wait included: these calls are refused. Asks first. An audit trail keeps its records.',
    flags: [
      valueFlag('--caller <name>', 'the caller whose approvals are deleted'),
      valueFlag('--tenant <name>', 'only those of this tenant (default: of every tenant)'),
      yesFlag,
    ],
    examples: [{ line: 'toolkit approvals erase --caller ada', does: 'shows how many, and asks' }],
    async run(invocation) {
      await (await import('./commands/erase.ts')).erase(invocation);
    },
  },
];
