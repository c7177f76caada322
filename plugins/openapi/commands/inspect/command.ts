import type { Command } from '../../../../kernel/index.ts';
import { documentFlags } from '../document-flags.ts';

/** `toolkit openapi inspect`: shows the tools that a document would give. Writes nothing. */
export const inspectCommand: Command = {
  name: 'openapi inspect',
  description:
    'Show the tools that an OpenAPI document would give: how many, what they cost in tokens, what is left out and why, the names to set, the hosts. Writes nothing.',
  arguments: [{ name: '<document>', description: 'a file or a URL; OpenAPI 3.1, 3.0 or 2.0, as JSON or YAML' }],
  flags: [
    { flag: '--name <name>', description: 'the name of the source, the prefix of its tools (default: from the title)' },
    ...documentFlags,
    { flag: '--json', description: 'print JSON' },
  ],
  examples: [{ line: 'toolkit openapi inspect ./box.json', does: 'what its tools would be' }],
  async run(invocation) {
    const { inspect } = await import('./inspect.ts');
    await inspect(invocation);
  },
};
