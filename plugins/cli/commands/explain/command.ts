import { type CallEnd, type CallOrigin, type Command, ToolkitError } from '../../../../kernel/index.ts';
import { jsonText } from '../../../shared/json-text.ts';
import { oneOf } from '../../flags/values.ts';
import { explanationOf } from './explanation.ts';
import { givenParameters } from './given-parameters.ts';
import { report } from './report.ts';
import type { TapEffect } from './step.ts';
import { stopCalls } from './stop-calls.ts';

/** `toolkit explain`: what would happen to a call, without running it and without asking anybody. */
export const explainCommand: Command = {
  name: 'explain',
  description:
    'Show what would happen to a call, without running it: where its secrets come from, and which plugin binds, changes, holds or refuses what. Nobody is asked for approval.',
  arguments: [{ name: '<tool>', description: 'the tool, by name' }],
  flags: [
    { flag: '--args <json>', description: 'parameters as a JSON object (default: none)' },
    { flag: '--args-file <file>', description: 'file with the parameters; unlike --args it does not show in process lists' },
    { flag: '--caller <name>', description: 'on whose behalf (default: default)' },
    { flag: '--origin <origin>', description: 'host or model (default: model)', parse: oneOf(['host', 'model']) },
    { flag: '--json', description: 'print JSON' },
  ],
  examples: [
    {
      line: `toolkit explain fs_delete --args '{"path": "old.txt"}'`,
      does: 'who would hold or refuse that call of a model',
    },
    {
      line: 'toolkit explain math_evaluate --args-file call.json --origin host',
      does: 'a call of your own code, its parameters in a file',
    },
  ],
  async run({ arguments: [tool = ''], flags, createKernel, write }) {
    const parameters = await givenParameters(flags['args'] as string | undefined, flags['argsFile'] as string | undefined);
    const ends: CallEnd[] = [];
    const effects: TapEffect[] = [];
    const stopping = stopCalls((end) => ends.push(end));
    const kernel = await createKernel({}, (options) => ({ ...options, plugins: [stopping, ...options.plugins] }));
    try {
      const error = await stopped(
        kernel.call({
          tool,
          parameters,
          origin: (flags['origin'] as CallOrigin | undefined) ?? 'model',
          ...(flags['caller'] === undefined ? {} : { caller: flags['caller'] as string }),
          onTap: (effect) => effects.push(effect),
        }),
      );
      const end = ends.at(-1);
      // Where no tap has run the tool is not there, or the parameters are not those of the tool.
      if (end === undefined || (effects.length === 0 && error.details.hook === undefined)) throw error;
      const explanation = explanationOf(kernel, end, effects, error);
      write(flags['json'] === true ? jsonText(explanation) : report(explanation));
    } finally {
      await kernel.close();
    }
  },
};

/** The error that ends the call: at the latest this plugin ends it before it runs. */
async function stopped(call: Promise<unknown>): Promise<ToolkitError> {
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
