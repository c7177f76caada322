import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary.ts';
import { textOf, until } from './program.ts';
import { transports } from './transports.ts';

const tool = (name: string, more = ''): string =>
  `name: ${name}\ndescription: Sells apples.\nrisk: low\nexecution: { type: function, code: ./it.js }\n${more}`;

const files = {
  'package.json': '{ "type": "module" }',
  'toolkit.config.yaml': 'plugins: [[toolkit/standard, { autoDiscover: false }]]\n',
  'secrets.env': 'OTHER_TOKEN=the-value-of-the-other\n',
  'tools/free.yaml': tool('apples_free'),
  'tools/paid.yaml': tool('apples_paid', 'secrets: [APPLE_TOKEN]\n'),
  'tools/other.yaml': tool('apples_other', 'secrets: [OTHER_TOKEN]\n'),
  'tools/it.js': 'export const run = (_parameters, { secrets }) => "sold with " + Object.keys(secrets);\n',
};

const flags = ['--tool-paths', 'tools', '--secrets', 'dotenv', '--env-file', 'secrets.env'];

describe('toolkit mcp --available', () => {
  for (const [transport, connect] of Object.entries(transports))
    it(`over ${transport} lists a tool once its secret is there, and says until then what it needs`, async () => {
      const folder = await temporaryFolder(files);
      const client = await connect(folder, {}, [...flags, '--available']);
      const names = async () => (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('apples_'));
      const found = async (): Promise<string> =>
        textOf(await client.callTool({ name: 'toolkit_search_tools', arguments: { query: 'sells apples', provider: 'none' } }));
      expect(await names()).to.deep.equal(['apples_free', 'apples_other']);
      expect(await found()).to.not.include('apples_paid');
      const refused = await client.callTool({ name: 'apples_paid', arguments: {} });
      expect(JSON.stringify(refused)).to.include('MISSING_PARAMETER').and.include('APPLE_TOKEN');
      await writeFile(path.join(folder, 'secrets.env'), 'OTHER_TOKEN=the-value-of-the-other\nAPPLE_TOKEN=the-value-of-the-apple\n');
      expect(textOf(await client.callTool({ name: 'apples_paid', arguments: {} }))).to.equal('sold with APPLE_TOKEN');
      await until(async () => ((await names()).includes('apples_paid') ? true : undefined));
      expect(await found())
        .to.include('apples_paid')
        .and.not.include('the-value');
    });

  for (const [transport, connect] of Object.entries(transports))
    it(`is not needed to be told over ${transport} what a hit needs`, async () => {
      const client = await connect(await temporaryFolder(files), {}, flags);
      const search = { name: 'toolkit_search_tools', arguments: { query: 'sells apples', provider: 'none' } };
      const { tools } = (await client.callTool(search)).structuredContent as { tools: { name: string; needs?: string[] }[] };
      expect(Object.fromEntries(tools.map(({ name, needs }) => [name, needs]))).to.deep.equal({
        apples_free: undefined,
        apples_other: undefined,
        apples_paid: ['APPLE_TOKEN'],
      });
    });
});
