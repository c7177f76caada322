import { type ApprovalQuestion, type Command, type CommandInvocation, type DurableCall, ToolkitError } from '../../../../kernel/index.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { callerFlag, idArgument, parseCallArguments } from './call-arguments.ts';
import { questionText } from './question-text.ts';
import { withCalls } from './with-calls.ts';

/** `toolkit calls approve`: approves a durable call that waits for a person. */
export const callsApproveCommand = answerCommand({ verb: 'approve', does: 'Approve', past: 'approved', approve: true });

/** `toolkit calls refuse`: refuses a durable call that waits for a person. */
export const callsRefuseCommand = answerCommand({ verb: 'refuse', does: 'Refuse', past: 'refused', approve: false });

interface DecisionCommand {
  readonly verb: string;
  readonly does: string;
  readonly past: string;
  readonly approve: boolean;
}

function answerCommand(decision: DecisionCommand): Command {
  const { verb, does, approve } = decision;
  return {
    name: `calls ${verb}`,
    description: `${does} a durable call that waits for a person${approve ? '; it then runs' : '; it then fails (APPROVAL_DENIED)'}. Shows the question (tool, destination, parameters) and asks at a terminal. The decision counts once, only for the question shown.`,
    arguments: [idArgument],
    flags: [
      { flag: '--yes', description: 'do not ask: decide the present question, whatever it is' },
      {
        flag: '--digest <hash>',
        description: 'do not ask: decide only the question with this digest, which "toolkit calls show" prints',
        complete: async () => [],
      },
      {
        flag: '--by <name>',
        description:
          'who decides, for the record (default: the account that runs this). It is not verified: whoever may run this may give any name',
        complete: async () => [],
      },
      { flag: '--reason <text>', description: 'why, for the record and the caller', complete: async () => [] },
      callerFlag,
    ],
    examples: [
      { line: `toolkit calls ${verb} order-1`, does: 'shows the question and asks' },
      {
        line: `toolkit calls ${verb} order-1 --digest 5f0c… --by grace`,
        does: 'for programs: refused if the question has changed',
      },
    ],
    run: (invocation) => answer(invocation, decision),
  };
}

async function answer(invocation: CommandInvocation, { verb, does, past, approve }: DecisionCommand): Promise<void> {
  const { arguments: words, flags, write, note } = invocation;
  const name = parseCallArguments(words, flags);
  const by = flags['by'] === undefined ? await accountName() : String(flags['by']);
  await withCalls(invocation, async (calls) => {
    const call = await (await calls.get(name.id, name)).call();
    const question = questionOf(call);
    const digest = flags['digest'] === undefined ? question.digest : String(flags['digest']);
    if (digest === question.digest) note(questionText(question));
    if (flags['digest'] === undefined && flags['yes'] !== true) await confirm(invocation, verb, does);
    const reason = flags['reason'] === undefined ? {} : { reason: String(flags['reason']) };
    const decided = await calls.answer(name.id, { caller: name.caller, approve, by, way: 'command line', digest, ...reason });
    const isOpen = decided.question?.digest === digest;
    const consequence = !approve ? 'it will not run' : isOpen ? 'another person must approve it as well' : 'it waits to run';
    write(`${terminalText(`The call "${name.id}" of "${call.tool}" is ${past} by ${by}: ${consequence}.`)}\n`);
  });
}

function questionOf({ id, status, question, decisions }: DurableCall): ApprovalQuestion {
  if (status === 'asked' && question !== undefined) return question;
  const last = decisions.at(-1);
  const decided = last === undefined ? '' : `${last.by} has ${last.approve ? 'approved' : 'refused'} it, and `;
  throw new ToolkitError('INVALID_PARAMETERS', `The call "${id}" has no open question: ${decided}it is ${status}.`);
}

async function confirm({ terminal, interrupted }: CommandInvocation, verb: string, does: string): Promise<void> {
  if (!terminal.isInteractive)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `There is no terminal to ask at. Add --digest with the digest of the question that a person saw, or --yes to ${verb} whatever is asked now.`,
    );
  const { prompts } = await import('../../../shared/terminal/prompts.ts');
  const { discardTypedInput } = await import('../../../shared/terminal/discard-typed-input.ts');
  const asking = await prompts(terminal, interrupted());
  await discardTypedInput(terminal.input);
  if (await asking.confirm(`${does} it?`, false)) return;
  throw new ToolkitError('ABORTED', 'Nothing was decided: the call goes on waiting for a person.');
}

async function accountName(): Promise<string> {
  const { userInfo } = await import('node:os');
  try {
    return userInfo().username;
  } catch {
    throw new ToolkitError('INVALID_PARAMETERS', 'The account that runs this has no name. Say who decides with --by.');
  }
}
