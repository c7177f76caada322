import type { Command } from '../../../../kernel/index.ts';
import { parseOneOf } from '../../../shared/flags/values.ts';

/** `toolkit explain`: shows what would happen to a call. Runs nothing and asks no one for approval. */
export const explainCommand: Command = {
  name: 'explain',
  description:
    'Show what would happen to a call, without running it: where its secrets come from, and which plugin binds, changes, holds or refuses what. Nobody is asked for approval.',
  arguments: [{ name: '<tool>', description: 'the tool, by name' }],
  flags: [
    { flag: '--args <json>', description: 'parameters as a JSON object (default: none)' },
    { flag: '--args-file <file>', description: 'file with the parameters; unlike --args it does not show in process lists' },
    { flag: '--caller <name>', description: 'on whose behalf (default: default)' },
    { flag: '--origin <origin>', description: 'host or model (default: model)', parse: parseOneOf(['host', 'model']) },
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
  async run(invocation) {
    const { explainCall } = await import('./explain-call.ts');
    await explainCall(invocation);
  },
};
