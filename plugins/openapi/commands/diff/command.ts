import type { Command } from '../../../../kernel/index.ts';
import { completeSources } from '../complete-sources.ts';

/** `toolkit openapi diff`: compares a document with what was accepted. */
export const diffCommand: Command = {
  name: 'openapi diff',
  description:
    'Compare the document of a source with what was accepted: operations that are new, gone, renamed or changed, with what breaks callers. Writes nothing. Ends with 1 when something differs. A URL is fetched anew.',
  arguments: [
    { name: '<source>', description: 'its name in the configuration', complete: completeSources },
    { name: '[document]', description: 'another document to compare with (default: the one of the configuration)' },
  ],
  flags: [
    { flag: '--allow-host <host>', description: 'the host of a URL document that may be private, such as localhost:8080' },
    { flag: '--json', description: 'print JSON' },
  ],
  examples: [
    { line: 'toolkit openapi diff box', does: 'what "toolkit openapi update box" would accept' },
    { line: 'toolkit openapi diff box ./box-next.json', does: 'what another version would change' },
  ],
  async run(invocation) {
    const { diff } = await import('./diff.ts');
    await diff(invocation);
  },
};
