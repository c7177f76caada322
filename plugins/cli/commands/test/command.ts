import type { Command } from '../../../../kernel/index.ts';
import { toolNames } from '../../../shared/flags/tool-names.ts';

/** `toolkit test`: runs the examples of tools offline, against recorded exchanges. */
export const testCommand: Command = {
  name: 'test',
  description:
    'Run the examples of tools offline, against what was recorded of the services and programs that they use, and check their outputs. What is recorded lies beside a tool, in <tool>.cassette.json; for tools of a source in cassettes/<source>. Ends with 1 when an example fails.',
  arguments: [
    {
      name: '[tools...]',
      description: 'names of tools (* stands for any characters), files and folders (default: the tools of this project)',
      complete: toolNames,
    },
  ],
  flags: [
    {
      flag: '--record',
      description: 'run the examples of the named tools for real, with your secrets, and write what happens; secrets are left out',
    },
    { flag: '--strict', description: 'end with 1 as well when a tool has no cassette' },
    { flag: '--json', description: 'print JSON' },
  ],
  examples: [
    { line: 'toolkit test', does: 'the tools of this project' },
    { line: 'toolkit test shop_get_order --record', does: 'call the service once and keep its answers' },
    { line: "toolkit test 'shop_*' --json", does: 'for programs: tools with their examples and findings' },
  ],
  async run(invocation) {
    const { runTests } = await import('./run-tests.ts');
    await runTests(invocation);
  },
};
