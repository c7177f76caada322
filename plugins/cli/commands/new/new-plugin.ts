import type { Command } from '../../../../kernel/index.ts';

/** `toolkit new plugin`: writes a plugin. */
export const newPlugin: Command = {
  name: 'new plugin',
  description:
    'Write a plugin that works, as a package that can be published: code, types, tests, README. It runs at once, without a build. Asks for what is not said, when there is a terminal.',
  arguments: [{ name: '[name]', description: 'small letters, digits and hyphens, such as slow-calls' }],
  flags: [
    { flag: '-d, --description <text>', description: 'what it does' },
    { flag: '--into <folder>', description: 'where to write its folder toolkit-plugin-<name> (default: plugins)' },
  ],
  examples: [{ line: 'toolkit new plugin slow-calls', does: 'plugins/toolkit-plugin-slow-calls' }],
  async run(invocation) {
    const { makePlugin } = await import('./make-plugin.ts');
    await makePlugin(invocation);
  },
};
