import { type CallPage, type CallStatus, type Command, callStatuses, type DurableCall, type Terminal } from '../../../../kernel/index.ts';
import { toolNames } from '../../../shared/flags/tool-names.ts';
import { parseOneOf, parseWhole } from '../../../shared/flags/values.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import { textTable } from '../../../shared/terminal/table.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { shellWord } from '../../../shared/text/shell-word.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { statusText, timeText, toCallJson } from './call-format.ts';
import { type Hindrance, hindranceOf, hindranceTexts, laterText } from './hindrance.ts';
import { withCalls } from './with-calls.ts';

const maxCalls = 1000;

/** `toolkit calls list`: lists durable calls. */
export const callsListCommand: Command = {
  name: 'calls list',
  description:
    'List durable calls, the newest first: those of all callers that wait, run, ask a person or ended within the last week. Says of a call that no process may run it (unknown tool), or that its process stands still and keeps it.',
  flags: [
    {
      flag: '--status <status>',
      description: `only those: ${callStatuses.join(', ')}`,
      parse: parseOneOf(callStatuses),
      complete: async () => callStatuses,
    },
    { flag: '--tool <name>', description: 'only calls of this tool', complete: toolNames },
    { flag: '--caller <name>', description: 'only calls of this caller', complete: async () => [] },
    { flag: '--limit <number>', description: `calls at most, from 1 to ${maxCalls}`, default: '20', parse: parseWhole(1, maxCalls) },
    { flag: '--after <mark>', description: 'continue after an earlier list, with the mark that it printed', complete: async () => [] },
    { flag: '--json', description: 'print JSON' },
  ],
  examples: [
    { line: 'toolkit calls list --status asked', does: 'the calls that wait for a person' },
    {
      line: 'toolkit calls list --status unknown --json',
      does: 'for programs: calls, and next, the mark for --after where there may be more',
    },
  ],
  async run(invocation) {
    const { flags, write, note, terminal } = invocation;
    const { status, tool, caller, after } = flags as { status?: CallStatus; tool?: string; caller?: string; after?: string };
    await withCalls(invocation, async (calls, { registry }) => {
      const page = await calls.list({
        asksProcesses: true,
        limit: Number(flags['limit']),
        ...(status === undefined ? {} : { status }),
        ...(tool === undefined ? {} : { tool }),
        ...(caller === undefined ? {} : { caller }),
        ...(after === undefined ? {} : { after }),
      });
      const { laterVersion = 0 } = page;
      const hindranceTo = (call: DurableCall): Hindrance | undefined => hindranceOf(call, registry);
      if (flags['json'] === true) {
        const listed = page.calls.map((call) => ({ ...toCallJson(call), hindrance: hindranceTo(call) ?? null }));
        return write(jsonText({ calls: listed, later_version: laterVersion, next: page.next ?? null }));
      }
      write(await report(page, terminal, hindranceTo));
      if (laterVersion > 0) note(`${laterText(laterVersion)}\n`);
      if (page.next !== undefined) note(`There may be more: --after ${shellWord(terminalText(page.next))}\n`);
    });
  },
};

async function report({ calls }: CallPage, terminal: Terminal, hindranceTo: (call: DurableCall) => Hindrance | undefined): Promise<string> {
  if (calls.length === 0) return 'No calls.\n';
  const rows = calls.map((call) => [
    paint(terminal, 'name', terminalText(call.id)),
    statusText(call.status, terminal),
    terminalText(call.tool),
    terminalText(call.caller),
    timeText(call.createdAt),
    terminalText(remarkOn(call, hindranceTo(call))),
  ]);
  const columns = [
    { heading: 'Id' },
    { heading: 'Status' },
    { heading: 'Tool' },
    { heading: 'Caller' },
    { heading: 'Created (UTC)' },
    { heading: '', narrow: 'cut' },
  ] as const;
  return textTable(terminal, columns, rows);
}

function remarkOn({ status, runAt, attempts, error }: DurableCall, hindrance: Hindrance | undefined): string {
  const later = status === 'waiting' && runAt !== undefined && attempts > 0 ? [`not before ${timeText(runAt)}`] : [];
  return [
    ...(hindrance === undefined ? [] : [hindranceTexts[hindrance]]),
    ...later,
    ...(error === undefined ? [] : [`${error.code}: ${error.message}`]),
  ]
    .join('; ')
    .replaceAll(/\s+/g, ' ');
}
