import type { Command } from '../../../../kernel/index.ts';
import { completeSources } from '../complete-sources.ts';

/** `toolkit openapi test`: calls each tool of a source against a mock of its document. */
export const testSourceCommand: Command = {
  name: 'openapi test',
  description:
    'Call each tool of a source once, with the examples of its document, against a mock made from the document on this machine. Shows requests that do not match the document, and examples that do not match their own schemas. No service is called, and no secret is used. Ends with 1 when a tool fails.',
  arguments: [
    { name: '<source>', description: 'its name in the configuration', complete: completeSources },
    { name: '[tools...]', description: 'names of tools; * stands for any characters (default: all)' },
  ],
  flags: [{ flag: '--json', description: 'print JSON' }],
  examples: [
    { line: 'toolkit openapi test box', does: 'all tools of the source' },
    { line: "toolkit openapi test box 'box_files_*' --json", does: 'for programs: some of them, each with its result' },
  ],
  async run(invocation) {
    const { testSource } = await import('./test-source.ts');
    await testSource(invocation);
  },
};
