import type { Command } from '../../../../kernel/index.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { callerFlag, idArgument, parseCallArguments } from './call-arguments.ts';
import { withCalls } from './with-calls.ts';

/** `toolkit calls retry`: runs a durable call again. */
export const callsRetryCommand: Command = {
  name: 'calls retry',
  description:
    'Run a durable call again that failed, was cancelled or is unknown. An effect that it had, or may have had, is not repeated: such a call ends with its outcome, or is unknown again. Check whether it had its effect; add --repeat-effect if it had not, or if the effect may happen twice.',
  arguments: [idArgument],
  flags: [
    { flag: '--repeat-effect', description: 'run it although it may have had its effect: a mail may be sent twice, a sum paid twice' },
    callerFlag,
  ],
  examples: [
    { line: 'toolkit calls retry order-1', does: 'what is safe' },
    { line: 'toolkit calls retry order-1 --repeat-effect', does: 'after you have seen that there is no such order' },
  ],
  async run(invocation) {
    const { arguments: words, flags, write } = invocation;
    const name = parseCallArguments(words, flags);
    const repeatEffect = flags['repeatEffect'] === true;
    await withCalls(invocation, async (calls) => {
      const { status, tool } = await calls.retry(name.id, { caller: name.caller, repeatEffect });
      if (status === 'completed')
        return void write(
          terminalText(`The call "${name.id}" of "${tool}" is completed: its outcome has arrived, and it does not run again.`).concat('\n'),
        );
      const how = repeatEffect ? 'whatever effect it has had' : 'unless it has had its effect, or may have had it';
      write(terminalText(`The call "${name.id}" of "${tool}" waits to run again, ${how}.`).concat('\n'));
    });
  },
};
