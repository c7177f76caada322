import type { Command } from '../../../../kernel/index.ts';
import { acceptFindingFlag } from '../../../shared/scanner/review/accept-finding-flag.ts';
import { documentFlags } from '../document-flags.ts';

/** `toolkit openapi add`: makes a document a source of the configuration. */
export const addCommand: Command = {
  name: 'openapi add',
  description:
    'Make tools of an OpenAPI document: writes the source into the configuration, what was accepted into toolkit.lock and toolkit.lock.d, and an overlay in which the document can be changed. A source that is there already is not changed.',
  arguments: [{ name: '<document>', description: 'a file or a URL; OpenAPI 3.1, 3.0 or 2.0, as JSON or YAML' }],
  flags: [
    { flag: '--name <name>', description: 'the name of the source, the prefix of its tools (default: from the title)' },
    ...documentFlags,
    { flag: '--gate-writes', description: 'POST, PUT and PATCH need approval as well as DELETE' },
    acceptFindingFlag,
    { flag: '--json', description: 'print JSON' },
  ],
  examples: [
    { line: 'toolkit openapi add ./box.json --name box', does: 'tools box_…, one for each operation' },
    { line: 'toolkit openapi add ./shop.yaml --server http://localhost:3000', does: 'for a service that runs on this machine' },
  ],
  async run(invocation) {
    const { add } = await import('./add.ts');
    await add(invocation);
  },
};
