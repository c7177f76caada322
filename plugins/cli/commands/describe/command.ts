import type { Command } from '../../../../kernel/index.ts';
import { toolNames } from '../../../shared/flags/tool-names.ts';
import { jsonText } from '../../../shared/text/json-text.ts';

/** `toolkit describe`: shows one tool. */
export const describeCommand: Command = {
  name: 'describe',
  description: 'Show one tool: what it does, takes and gives back, what it needs, its limits, and examples.',
  arguments: [{ name: '<tool>', description: 'the tool, by name', complete: toolNames }],
  flags: [{ flag: '--json', description: 'print JSON, with the schemas as MCP clients get them' }],
  examples: [{ line: 'toolkit describe fs_read_file', does: 'the tool that reads files' }],
  async run({ arguments: [name = ''], flags, createKernel, flagNames, write, terminal }) {
    const kernel = await createKernel();
    try {
      const { describeTool: describedTool } = await import('./describe-tool.ts');
      const { toolPage } = await import('./tool-page.ts');
      const tool = kernel.registry.get(name);
      const described = await describedTool(tool, kernel);
      write(flags['json'] === true ? jsonText(described) : await toolPage(tool, described, terminal, flagNames('run')));
    } finally {
      await kernel.close();
    }
  },
};
