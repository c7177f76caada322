import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { ToolkitOptions } from '../../../plugins/toolkit/index.ts';
import { json } from '../../support/loopback.ts';
import { packFolder } from '../packs.ts';
import { messagesPath, twilioToolkit } from './twilio-toolkit.ts';

const sid = 'SM0123456789abcdef0123456789abcdef';

describe('@toolkit/twilio: the example of the README', () => {
  it('runs', async () => {
    const message = { sid, status: 'delivered' };
    const { toolkit, requests } = await twilioToolkit(({ method, url }, response) =>
      json(response, method === 'GET' && url.startsWith(`${messagesPath}?`) ? { messages: [message], next_page_uri: null } : message),
    );
    const readme = await readFile(path.join(packFolder('twilio'), 'README.md'), 'utf8');
    const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const asked: ToolkitOptions[] = [];
    const init = async (options: ToolkitOptions): Promise<unknown> => {
      asked.push(options);
      return toolkit;
    };
    const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (given: { init: typeof init }) => Promise<unknown>;
    const run = new AsyncFunction('Toolkit', `${code.replace(/^import .*$/m, '')}; return { sent, message, messages };`);
    expect(await run({ init })).to.deep.equal({
      sent: message,
      message,
      messages: { messages: [message], next_page_uri: null, next: null },
    });
    expect(asked).to.deep.equal([{ autoDiscover: true }]);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      `POST ${messagesPath}`,
      `GET ${messagesPath.replace('.json', '')}/${sid}.json`,
      `GET ${messagesPath}?To=%2B15558675310&DateSent=2026-01-05&PageSize=200`,
    ]);
  });
});
