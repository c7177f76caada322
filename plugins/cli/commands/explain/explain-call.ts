import { type CallEnd, type CallOrigin, type CommandInvocation, ToolkitError } from '../../../../kernel/index.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { explanationOf } from './explanation.ts';
import { readArgs } from './read-args.ts';
import { report } from './report.ts';
import type { TapEffect } from './step.ts';
import { stopCalls } from './stop-calls.ts';

/** Starts the call, stops it before approval or execution, and prints the explanation. */
export async function explainCall({ arguments: [tool = ''], flags, createKernel, write }: CommandInvocation): Promise<void> {
  const parameters = await readArgs(flags['args'] as string | undefined, flags['argsFile'] as string | undefined);
  const ends: CallEnd[] = [];
  const effects: TapEffect[] = [];
  const stopping = stopCalls((end) => ends.push(end));
  const kernel = await createKernel({}, (options) => ({ ...options, plugins: [stopping, ...options.plugins] }));
  try {
    const error = await awaitError(
      kernel.call({
        tool,
        parameters,
        origin: (flags['origin'] as CallOrigin | undefined) ?? 'model',
        ...(flags['caller'] === undefined ? {} : { caller: flags['caller'] as string }),
        onTap: (effect) => effects.push(effect),
      }),
    );
    const end = ends.at(-1);
    // When no tap has run, the tool does not exist or the parameters do not fit it.
    if (end === undefined || (effects.length === 0 && error.details.hook === undefined)) throw error;
    const explanation = explanationOf(kernel, end, effects, error);
    write(flags['json'] === true ? jsonText(explanation) : report(explanation));
  } finally {
    await kernel.close();
  }
}

/** Returns the error that ends the call. The plugin `explain` throws one at the latest before execution. */
async function awaitError(call: Promise<unknown>): Promise<ToolkitError> {
  try {
    await call;
  } catch (error) {
    if (ToolkitError.is(error)) return error;
    throw error;
  }
  throw new ToolkitError('PLUGIN_FAILED', 'A plugin answered the call before it could be stopped. Remove its "before" on "execute".', {
    plugin: 'explain',
    hook: 'execute',
  });
}
