import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { ToolkitOptions } from '../../../plugins/toolkit/index.ts';
import { json } from '../../support/loopback.ts';
import { packFolder } from '../packs.ts';
import { hubspotToolkit, record } from './hubspot-toolkit.ts';

const readme = await readFile(path.join(packFolder('hubspot'), 'README.md'), 'utf8');

describe('@toolkit/hubspot: README', () => {
  it('has an example that runs', async () => {
    const { toolkit, requests } = await hubspotToolkit(({ method, url }, response) =>
      json(response, method === 'GET' && url.includes('/deals') ? { results: [record('9876543210')] } : record('151')),
    );
    const asked: ToolkitOptions[] = [];
    const Toolkit = {
      init: async (options: ToolkitOptions): Promise<unknown> => {
        asked.push(options);
        return toolkit;
      },
    };
    const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (given: typeof Toolkit) => Promise<unknown>;
    const run = new AsyncFunction('Toolkit', `${code.replace(/^import .*$/m, '')}; return { contact, deal, deals };`);
    expect(await run(Toolkit)).to.deep.equal({ contact: record('151'), deal: record('151'), deals: { results: [record('9876543210')] } });
    expect(asked).to.deep.equal([{ autoDiscover: true }]);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'GET /crm/v3/objects/contacts/zoe.muller%40example.fr?properties=firstname&properties=lifecyclestage&idProperty=email',
      'POST /crm/v3/objects/deals',
      'GET /crm/v3/objects/deals?limit=100&properties=dealname&properties=dealstage',
    ]);
  });

  it('names every tool with the scope that it needs', async () => {
    const { toolkit } = await hubspotToolkit();
    const rows = readme.split('\n').filter((line) => line.startsWith('|'));
    for (const { name, definition } of toolkit.listTools().filter(({ provider }) => provider?.name === 'hubspot')) {
      const row = rows.find((line) => line.includes(`\`${name}\``)) ?? '';
      for (const scope of definition.authentication?.required_scopes ?? []) expect(row, name).to.include(`\`${scope}\``);
    }
  });
});
