import type { Command } from '../../../../kernel/index.ts';
import { completeSources } from '../complete-sources.ts';

/** `toolkit openapi eject`: makes a YAML definition of one operation. */
export const ejectCommand: Command = {
  name: 'openapi eject',
  description:
    'Write the tool of one operation as a YAML definition of your own, with all that it needs, to be changed freely. The source leaves the operation out from then on. The tool gets a name of its own, because only the source may use names that begin with its own.',
  arguments: [
    { name: '<source>', description: 'its name in the configuration', complete: completeSources },
    { name: '<operation>', description: 'the name of its tool, its operationId, or a method and path such as "get /files/{file_id}"' },
  ],
  flags: [
    { flag: '--name <name>', description: 'the name of the tool (default: my_ and its present name)' },
    { flag: '--into <folder>', description: 'the folder of tools (default: the first of toolPaths, else tools)' },
  ],
  examples: [{ line: 'toolkit openapi eject box box_upload_file', does: 'tools/my_box/upload_file.yaml' }],
  async run(invocation) {
    const { eject } = await import('./eject.ts');
    await eject(invocation);
  },
};
