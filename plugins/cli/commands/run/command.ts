import type { Command } from '../../../../kernel/index.ts';
import { toolNames } from '../../../shared/flags/tool-names.ts';
import { parseOneOf } from '../../../shared/flags/values.ts';
import { outputs } from '../../../shared/terminal/output.ts';

/** `toolkit run`: calls one tool. */
export const runCommand: Command = {
  name: 'run',
  description:
    'Call a tool. Its parameters are flags (--name value, --name=value; a list is repeated, --no-name is false); "toolkit run <tool> --help" shows them.',
  arguments: [
    { name: '[tool]', description: 'the tool, by name', complete: toolNames },
    { name: '[parameters...]', description: 'parameters of the tool as flags', complete: async () => [] },
  ],
  flags: [
    {
      flag: '--params <json>',
      description: 'parameters as a JSON object: a file, - for standard input, or the object itself; flags win over it',
    },
    {
      flag: '--param <name=value>',
      description: 'a parameter whose name is that of a flag of this command; may be repeated',
      repeats: true,
      complete: async () => [],
    },
    {
      flag: '--output <format>',
      description: `${outputs.join(', ')}; raw writes a string as it is (default: table on a terminal where the result is one or a text, else json)`,
      parse: parseOneOf(outputs),
      complete: async () => outputs,
    },
    {
      flag: '--once <name>',
      description:
        'a name for the effect of this call: later runs with it get the result of the first, and act no second time (needs a store, such as store-libsql)',
      complete: async () => [],
    },
  ],
  topics: ['secrets'],
  takesOtherFlags: true,
  examples: [
    { line: 'toolkit run math_evaluate --help', does: 'what a tool takes, with an example' },
    { line: "toolkit run math_evaluate --expression '2 + 3 * 4'", does: 'one call' },
    { line: 'toolkit run json_query --params query.json --output raw', does: 'parameters from a file, the result for another program' },
  ],
  async run(invocation) {
    const { runTool } = await import('./run-tool.ts');
    await runTool(invocation);
  },
};
