import type { Command } from '../../../../kernel/index.ts';

/** `toolkit new provider`: writes a provider. */
export const newProvider: Command = {
  name: 'new provider',
  description:
    'Write the folder of a provider: its definition, one tool with tests, a skill for models, and what an npm package needs. Asks for what is not said, when there is a terminal.',
  arguments: [{ name: '[name]', description: 'small letters, digits and hyphens, such as shop' }],
  flags: [
    { flag: '-d, --description <text>', description: 'what the service is' },
    { flag: '--base-url <url>', description: 'where its API is (default: https://api.example.com/v1)' },
    { flag: '--oauth2', description: 'with OAuth2 access tokens in place of an API key' },
    { flag: '--into <folder>', description: 'where to write its folder (default: the first of toolPaths, else tools)' },
  ],
  examples: [
    { line: 'toolkit new provider shop --base-url https://api.shop.example/v1', does: 'tools/shop with definition, tool, skill and tests' },
  ],
  async run(invocation) {
    const { makeProvider } = await import('./make-provider.ts');
    await makeProvider(invocation);
  },
};
