import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { ToolkitOptions } from '../../../plugins/toolkit/index.ts';
import { json } from '../../support/loopback.ts';
import { packFolder } from '../packs.ts';
import { mailchimpToolkit } from './mailchimp-toolkit.ts';

describe('@toolkit/mailchimp: the example of the README', () => {
  it('runs', async () => {
    const audiences = { lists: [{ id: 'a1b2c3d4e5', name: 'Newsletter' }] };
    const { toolkit, requests } = await mailchimpToolkit(({ method }, response) =>
      json(response, method === 'GET' ? audiences : { id: 'x', status: 'pending' }),
    );
    const readme = await readFile(path.join(packFolder('mailchimp'), 'README.md'), 'utf8');
    const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const asked: ToolkitOptions[] = [];
    const init = async (options: ToolkitOptions): Promise<unknown> => {
      asked.push(options);
      return toolkit;
    };
    const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (given: { init: typeof init }) => Promise<unknown>;
    const run = new AsyncFunction('Toolkit', `${code.replace(/^import .*$/m, '')}; return { lists, added, changed };`);
    const member = { id: 'x', status: 'pending' };
    expect(await run({ init })).to.deep.equal({ lists: audiences, added: member, changed: member });
    expect(asked).to.deep.equal([{ autoDiscover: true }]);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'GET /3.0/lists?fields=lists.id%2Clists.name',
      'POST /3.0/lists/a1b2c3d4e5/members',
      'PATCH /3.0/lists/a1b2c3d4e5/members/cb63c7306d1853af527b11f0cb244d45',
    ]);
  });
});
