import type { Command } from '../../../../kernel/index.ts';
import { toolKind, toolKinds } from './tool-kinds.ts';

/** `toolkit new tool`: writes a tool. */
export const newTool: Command = {
  name: 'new tool',
  description:
    'Write a tool that works, with its tests: change it from there. Asks for what is not said, when there is a terminal. No file is overwritten.',
  arguments: [{ name: '[name]', description: 'snake_case, <provider>_<verb>_<noun>, such as shop_get_order' }],
  flags: [
    {
      flag: '-t, --type <type>',
      description: `${toolKinds.map(({ value }) => value).join(', ')} (default: ${toolKinds[0].value})`,
      parse: toolKind,
      complete: async () => toolKinds.map(({ value }) => value),
    },
    { flag: '--provider <name>', description: 'the provider that the tool belongs to, one with a definition.yaml of your own' },
    { flag: '-d, --description <text>', description: 'what it does and when to choose it, for a model (default: that of the example)' },
    { flag: '--into <folder>', description: 'where to write it (default: the first of toolPaths, else tools)' },
  ],
  examples: [
    { line: 'toolkit new tool shop_get_order --type http', does: 'tools/shop_get_order.yaml and its tests' },
    { line: 'toolkit new tool', does: 'asks for everything' },
  ],
  async run(invocation) {
    const { makeTool } = await import('./make-tool.ts');
    await makeTool(invocation);
  },
};
