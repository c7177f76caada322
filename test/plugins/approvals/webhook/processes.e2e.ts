import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../../kernel/index.ts';
import { addWebhooks, type Webhooks } from '../../../../plugins/approvals/webhook/index.ts';
import { storeLibsql } from '../../../../plugins/store-libsql/index.ts';
import { afterEach } from '../../../support/after-each.ts';
import { compiled } from '../../../support/compiled.ts';
import { loopback } from '../../../support/loopback.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { until } from '../../../support/until.ts';
import { wireServer } from '../../mcp/support/wire.ts';
import { hookedKernel } from './hooked-kernel.ts';
import { FakeInbox, secret } from './records.ts';

const children: ReturnType<typeof spawn>[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts a program that ends with the test, and reads its lines. */
function started(file: string, given: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [file, ...given], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  children.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { child, lines };
}

describe('webhooks of several processes', () => {
  it('are sent by another process when the one that was sending is killed', async () => {
    const file = path.join(await temporaryFolder(), 'state.db');
    let isDeaf = true;
    const { url, requests } = await loopback((_, response) => void (isDeaf || response.writeHead(200).end()));
    const webhooks = [{ name: 'chat', url, secret }];
    const { kernel, state, inbox } = await hookedKernel(webhooks, { more: [storeLibsql({ path: file })] });
    const { child } = started(await compiled('test/plugins/approvals/webhook/sender-process.ts'), [file, url]);
    const { id } = await inbox.add(state, webhooks);
    await until(() => (requests.length === 1 ? true : undefined));
    await kernel.serve();
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    isDeaf = false;
    await until(async () => ((await state.list('hook/')).length === 0 ? true : undefined));
    expect(requests.map(({ headers }) => headers['webhook-id'])).to.deep.equal([`${id}-chat`, `${id}-chat`]);
  });
});

describe('a receiver of webhooks, as the guide has it', () => {
  it('checks messages, and decides about them over HTTP', async () => {
    const receiver = started(path.resolve('test/plugins/approvals/webhook/receiver.mjs'), [], { WEBHOOK_SECRET: secret, PORT: '0' });
    const [, port] = (await until(() => receiver.lines[0])).split(' ');
    const options = [{ name: 'chat', url: `http://127.0.0.1:${port}/`, secret }];
    const inbox = new FakeInbox();
    let parts: { readonly state: Parameters<FakeInbox['add']>[0]; readonly webhooks: Webhooks } | undefined;
    const hooked = definePlugin({
      name: 'approvals',
      apiVersion,
      apply(api) {
        parts = { state: api.state, webhooks: addWebhooks(api, options, inbox) };
      },
    })();
    await wireServer({ more: [hooked] });
    const state = parts?.state;
    if (state === undefined) throw new Error('the plugin was not applied');
    const safe = await inbox.add(state, options, { risk: 'low' });
    const dangerous = await inbox.add(state, options, { risk: 'high' });
    await until(() => (receiver.lines.length === 3 ? true : undefined));
    expect(receiver.lines.slice(1).map((line) => line.slice(0, 3))).to.deep.equal(['200', '200']);
    expect([safe, dangerous].map(({ id }) => inbox.records.get(id)?.status)).to.deep.equal(['approved', 'refused']);
    const unsigned = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}', headers: { 'webhook-signature': 'v1,ä' } });
    expect(unsigned.status).to.equal(401);
  });
});
