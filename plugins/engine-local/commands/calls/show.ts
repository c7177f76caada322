import type { CallDecision, Command, DurableCall, JsonValue, Terminal } from '../../../../kernel/index.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import { textTable } from '../../../shared/terminal/table.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { callerFlag, idArgument, parseCallArguments } from './call-arguments.ts';
import { statusText, timeText, toCallJson } from './call-format.ts';
import { questionText } from './question-text.ts';
import { withCalls } from './with-calls.ts';

/** `toolkit calls show`: shows one durable call. */
export const callsShowCommand: Command = {
  name: 'calls show',
  description: 'Show one durable call: its status, what a person is asked, who decided, why it failed, and its result. Secrets are masked.',
  arguments: [idArgument],
  flags: [callerFlag, { flag: '--json', description: 'print JSON' }],
  examples: [
    { line: 'toolkit calls show order-1', does: 'what became of it' },
    { line: 'toolkit calls show order-1 --json', does: 'for programs, with question.digest for "toolkit calls approve --digest"' },
  ],
  async run(invocation) {
    const { arguments: words, flags, write, terminal } = invocation;
    const { id, caller } = parseCallArguments(words, flags);
    await withCalls(invocation, async (calls) => {
      const handle = await calls.get(id, { caller });
      const call = await handle.call();
      const result = call.status === 'completed' && call.error === undefined ? await handle.result() : undefined;
      write(flags['json'] === true ? jsonText({ ...toCallJson(call), result: result ?? null }) : await page(call, result, terminal));
    });
  },
};

async function page(call: DurableCall, result: JsonValue | undefined, terminal: Terminal): Promise<string> {
  const { question } = call;
  const { resultText } = await import('../../../shared/terminal/result-text.ts');
  return [
    await facts(call, terminal),
    ...(question === undefined ? [] : [`\n${paint(terminal, 'heading', 'Question')}\n${questionText(question)}`]),
    ...(result === undefined
      ? []
      : [`\n${paint(terminal, 'heading', 'Result')}\n${await resultText({ output: result }, terminal, undefined)}`]),
  ].join('');
}

async function facts({ id, caller, tool, status, attempts, ...call }: DurableCall, terminal: Terminal): Promise<string> {
  const { createdAt, startedAt, endedAt, runAt, approval, decisions, error } = call;
  const time = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : `${timeText(ms)} UTC`);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Id', paint(terminal, 'name', terminalText(id))],
    ['Caller', terminalText(caller)],
    ['Tool', terminalText(tool)],
    ['Status', statusText(status, terminal)],
    ['Created', time(createdAt)],
    ['First run', time(startedAt)],
    ['Ended', time(endedAt)],
    ['Not before', time(runAt)],
    ['Runs', String(attempts)],
    ['Error', error === undefined ? undefined : terminalText(`${error.code}: ${error.message}`)],
    ['Approval', approval],
    ...decisions.map((decision) => [decision.approve ? 'Approved' : 'Refused', terminalText(decisionText(decision))] as const),
  ];
  const shown = rows.flatMap(([word, text]) => (text === undefined ? [] : [[paint(terminal, 'quiet', word), text]]));
  return textTable(terminal, [{}, { narrow: 'wrap' }], shown);
}

/** Describes a decision: `by ann, 2026-01-31 12:00:00 UTC, webhook: too expensive`. */
function decisionText({ by, way, at, reason }: CallDecision): string {
  return `by ${by}, ${timeText(at)} UTC${way === undefined ? '' : `, ${way}`}${reason === undefined ? '' : `: ${reason}`}`;
}
