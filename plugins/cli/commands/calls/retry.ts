import { type Command, ToolkitError } from '../../../../kernel/index.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { callerFlag, idArgument, namedCall } from './named-call.ts';
import { withCalls } from './with-calls.ts';

/** `toolkit calls retry`: runs a durable call again. */
export const callsRetryCommand: Command = {
  name: 'calls retry',
  description:
    'Have a durable call that failed, was cancelled or is unknown made again. What had its effect, or may have had it, is not repeated, and such a call ends as OUTCOME_UNKNOWN; look whether it had it, and say --repeat-effect where it had not, or may have it twice.',
  arguments: [idArgument],
  flags: [
    { flag: '--repeat-effect', description: 'make it anew although it may have had its effect: a mail may be sent, a sum be paid twice' },
    callerFlag,
  ],
  examples: [
    { line: 'toolkit calls retry order-1', does: 'what is safe' },
    { line: 'toolkit calls retry order-1 --repeat-effect', does: 'after you have seen that there is no such order' },
  ],
  async run(invocation) {
    const { arguments: words, flags, write } = invocation;
    const name = namedCall(words, flags);
    const repeatEffect = flags['repeatEffect'] === true;
    await withCalls(invocation, async (calls) => {
      const { status, tool } = await (await calls.get(name.id, name)).call();
      if (status === 'unknown' && !repeatEffect)
        throw new ToolkitError(
          'INVALID_PARAMETERS',
          `The call "${name.id}" is not made again as it is: nobody knows whether "${tool}" has had its effect. Look for it; where it has not, or may have it twice, say --repeat-effect.`,
        );
      await calls.retry(name.id, { caller: name.caller, repeatEffect });
      const how = repeatEffect ? 'whatever effect it has had' : 'unless it has had its effect, or may have had it';
      write(terminalText(`The call "${name.id}" of "${tool}" waits for its turn, and is made again ${how}.`).concat('\n'));
    });
  },
};
