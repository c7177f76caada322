import { type Command, hasEnded } from '../../../../kernel/index.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { callerFlag, idArgument, parseCallArguments } from './call-arguments.ts';
import { withCalls } from './with-calls.ts';

/** `toolkit calls cancel`: ends a durable call. */
export const callsCancelCommand: Command = {
  name: 'calls cancel',
  description:
    'Cancel a durable call. A waiting call never runs. A running call is aborted by its process, and effects that it already had stay. A call that has ended stays as it is.',
  arguments: [idArgument],
  flags: [callerFlag],
  examples: [{ line: 'toolkit calls cancel order-1', does: 'before it is made, or while it runs' }],
  async run(invocation) {
    const name = parseCallArguments(invocation.arguments, invocation.flags);
    await withCalls(invocation, async (calls) => {
      const before = await (await calls.get(name.id, name)).status();
      const { status, tool } = await calls.cancel(name.id, name);
      const what = terminalText(`"${name.id}" of "${tool}"`);
      if (hasEnded(before)) invocation.write(`The call ${what} had ended before: it is ${status}.\n`);
      else if (hasEnded(status)) invocation.write(`The call ${what} is ${status}.\n`);
      else invocation.write(`The call ${what} runs, and its process was told to end it. "toolkit calls show" says how it ended.\n`);
    });
  },
};
