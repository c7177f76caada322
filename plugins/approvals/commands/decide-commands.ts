import type { Command, CommandFlag } from '../../../kernel/index.ts';
import { parseOneOf } from '../../shared/flags/values.ts';
import { filterFlags, idsArgument, jsonFlag, parseText, valueFlag } from './approval-arguments.ts';
import { approving, type DecisionVerb, refusing } from './decision.ts';

const holds = ['tool', 'arguments'] as const;

const yesFlag: CommandFlag = { flag: '--yes', description: 'do not ask: decide what waits now, whatever it is' };

const digestFlag = valueFlag('--digest <hash>', 'do not ask: decide only the call with this digest, which "toolkit approvals show" prints');

const allFlag: CommandFlag = { flag: '--all', description: 'all that wait, limited by --tool, --caller and --tenant; one decision each' };

/** `toolkit approvals approve`: approves calls that wait for a person. */
export const approveCommand: Command = {
  name: 'approvals approve',
  description:
    'Approve calls that wait for a person: each then runs once. Shows one call whole, several as a table, and asks at a terminal. The first decision counts, and only for what was shown. The decider is the account that runs this.',
  arguments: [idsArgument],
  flags: [
    yesFlag,
    digestFlag,
    valueFlag('--reason <text>', 'the reason, for the record', { parse: parseText }),
    valueFlag('--arguments <json>', 'approve nothing: refuse the call, and ask about it with all these arguments instead'),
    allFlag,
    ...filterFlags,
    jsonFlag,
  ],
  examples: [
    { line: 'toolkit approvals approve <id>', does: 'shows the call and asks' },
    { line: 'toolkit approvals approve <id> --digest 5f0c…', does: 'for programs: refused if what is asked has changed' },
    { line: 'toolkit approvals approve --all --tool shop_order --caller ada', does: 'shows how many, and asks once' },
  ],
  run: runOf(approving),
};

/** `toolkit approvals refuse`: refuses calls that wait for a person. */
export const refuseCommand: Command = {
  name: 'approvals refuse',
  description:
    'Refuse calls that wait for a person: they fail (APPROVAL_DENIED). Shows one call whole, several as a table, and asks at a terminal. The first decision counts. The decider is the account that runs this.',
  arguments: [idsArgument],
  flags: [
    yesFlag,
    digestFlag,
    valueFlag('--reason <text>', 'the reason, for the record and for the caller', { parse: parseText }),
    {
      flag: '--hold <what>',
      description:
        'also refuse later calls of this caller for a while: those of the tool, or those with the same arguments (default: only this one)',
      parse: parseOneOf(holds),
      complete: async () => holds,
    },
    allFlag,
    ...filterFlags,
    jsonFlag,
  ],
  examples: [
    { line: 'toolkit approvals refuse <id> --reason "wrong account"', does: 'shows the call and asks' },
    { line: 'toolkit approvals refuse <id> --hold tool', does: 'and the caller cannot ask again for ten minutes' },
  ],
  run: runOf(refusing),
};

function runOf(verb: DecisionVerb): Command['run'] {
  return async (invocation) => (await import('./decide.ts')).decide(invocation, verb);
}
