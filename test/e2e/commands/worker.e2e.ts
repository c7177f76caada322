import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import type { DurableCall } from '../../../kernel/index.ts';
import { loopback } from '../../support/loopback.ts';
import { until } from '../../support/until.ts';
import { type Started, start } from '../program.ts';
import { type CallsProject, callsFolder, callsProject, withEngine, withStore } from './calls-project.ts';

const worker = async (cwd: string, ...args: readonly string[]): Promise<Started> => {
  const started = start(['worker', ...args], { cwd });
  await started.waitFor(/takes durable calls/);
  return started;
};

/** Has it end as a supervisor does, with all that it wrote. */
async function stopped({ child, exit, stderr }: Started): Promise<{ code: number | null; stderr: string }> {
  child.kill('SIGTERM');
  const { code } = await exit;
  return { code, stderr: stderr() };
}

const submit = async ({ toolkit }: CallsProject, tool: string, id: string): Promise<void> =>
  void (await toolkit.calls.submit(tool, {}, { durable: true, id }));

const resultOf = async ({ toolkit }: CallsProject, id: string) => (await toolkit.calls.get(id)).result();

const callOf = async ({ toolkit }: CallsProject, id: string): Promise<DurableCall> => (await toolkit.calls.get(id)).call();

/** A service that answers when it is told to. */
async function holding(): Promise<{ readonly url: string; readonly asked: Promise<void>; readonly answer: () => void }> {
  const held: ServerResponse[] = [];
  let tell: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const { url } = await loopback((_request, response) => {
    held.push(response);
    tell();
  });
  return { url, asked, answer: () => held.forEach((response) => void response.end('done')) };
}

describe('toolkit worker', () => {
  it('makes the calls of other processes until a signal', async () => {
    const project = await callsProject();
    await submit(project, 'shop_find', 'before');
    const started = await worker(project.cwd);
    await submit(project, 'shop_find', 'after');
    for (const id of ['before', 'after']) expect(await resultOf(project, id)).to.deep.equal({ pid: started.child.pid });
    const { code, stderr } = await stopped(started);
    expect(code).to.equal(0);
    expect(stderr).to.include('takes durable calls of all tools, 4 at the same time').and.to.include('takes no more durable calls');
  });

  it('answers probes on a port of its own', async () => {
    const project = await callsProject();
    const started = await worker(project.cwd, '--health-port', '0');
    const [, url = ''] = /answers (\S+)\/live/.exec(started.stderr()) ?? [];
    for (const probe of ['/live', '/ready']) expect((await fetch(url + probe)).status, probe).to.equal(200);
    expect((await stopped(started)).code).to.equal(0);
  });

  it('takes those of the tools and providers that it is told, whatever the engine would', async () => {
    const project = await callsProject({
      'tools/copy.yaml': 'name: copy\ndescription: Copies.\nexecution: { type: command, command: "true" }\nrisk: low\n',
    });
    const config = await readFile(path.join(project.cwd, 'toolkit.config.yaml'), 'utf8');
    await writeFile(path.join(project.cwd, 'worker.yaml'), config.replace('concurrency: 0', 'concurrency: 4'));
    for (const tool of ['copy', 'shop_pay', 'shop_find']) await submit(project, tool, tool);
    const choice = ['--tools', 'c*,shop_find', '--providers', 'sh*', '--concurrency', '1'];
    const started = await worker(project.cwd, '--config', 'worker.yaml', ...choice);
    await resultOf(project, 'shop_find');
    const { stderr } = await stopped(started);
    expect(stderr).to.include('of the tools c*, shop_find and of the providers sh*, 1 at the same time');
    for (const id of ['copy', 'shop_pay']) expect((await callOf(project, id)).status, id).to.equal('waiting');
  });

  it('lets running calls end when it is told to stop', async () => {
    const service = await holding();
    const project = await callsProject({
      'tools/shop/hold.yaml': 'name: shop_hold\ndescription: Waits.\nexecution: { type: function, code: ./hold.js }\nrisk: low\n',
      'tools/shop/hold.js': `export default async () => (await fetch('${service.url}')).text();`,
    });
    for (const id of ['hold-1', 'hold-2']) await submit(project, 'shop_hold', id);
    const started = await worker(project.cwd, '--concurrency', '1', '--drain-ms', '600000');
    await service.asked;
    started.child.kill('SIGTERM');
    await started.waitFor(/takes no more durable calls; those that run have 600000 ms to end/);
    service.answer();
    expect((await started.exit).code).to.equal(0);
    const statuses = await Promise.all(['hold-1', 'hold-2'].map(async (id) => (await callOf(project, id)).status));
    expect(statuses.sort()).to.deep.equal(['completed', 'waiting']);
  });

  it('leaves to others what does not end', async () => {
    const service = await holding();
    const project = await callsProject({
      'tools/shop/stay.yaml': 'name: shop_stay\ndescription: Waits.\nexecution: { type: function, code: ./stay.js }\nrisk: low\n',
      'tools/shop/stay.js': `export default (_, { signal }) => fetch('${service.url}', { signal }).then(() => '');`,
    });
    await submit(project, 'shop_stay', 'stay-1');
    const started = await worker(project.cwd, '--drain-ms', '0');
    await service.asked;
    expect((await stopped(started)).code).to.equal(0);
    expect(await callOf(project, 'stay-1')).to.include({ status: 'waiting', attempts: 1 });
  });

  it('serves nobody, and keeps the audit trail', async () => {
    const project = await callsProject();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const config = path.join(project.cwd, 'toolkit.config.yaml');
    const more = `  - [toolkit/plugins/mcp, { transport: http, port: ${port} }]\n  - [toolkit/plugins/audit-trail, { path: calls.jsonl }]\n`;
    await writeFile(config, (await readFile(config, 'utf8')) + more);
    await submit(project, 'shop_find', 'find-1');
    const started = await worker(project.cwd);
    await resultOf(project, 'find-1');
    expect((await stopped(started)).code).to.equal(0);
    taken.close();
    expect(await readFile(path.join(project.cwd, 'calls.jsonl'), 'utf8')).to.include('"shop_find"');
  });

  it('submits what is scheduled', async () => {
    const project = await callsProject();
    const config = path.join(project.cwd, 'toolkit.config.yaml');
    const job = '{ id: each-second, cron: "* * * * * *", tool: shop_find, parameters: { item: pen } }';
    await writeFile(config, `${await readFile(config, 'utf8')}  - [toolkit/plugins/schedule, { jobs: [${job}] }]\n`);
    const started = await worker(project.cwd);
    const { id } = await until(async () => (await project.toolkit.calls.list({ status: 'completed' })).calls[0]);
    expect(id).to.match(/^each-second \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    expect(await resultOf(project, id)).to.deep.equal({ item: 'pen', pid: started.child.pid });
    expect((await stopped(started)).code).to.equal(0);
  });

  const refused: readonly { title: string; plugins: string; args?: readonly string[]; says: string }[] = [
    {
      title: 'without an engine',
      plugins: withStore,
      says: 'PLUGIN_INVALID: No engine for durable calls is configured. List engineLocal()',
    },
    {
      title: 'without a store',
      plugins: withEngine,
      says: 'CONFIG_INVALID: A worker runs calls that other processes have submitted, and this configuration has no store',
    },
    {
      title: 'with the engine of one machine on a store of several',
      plugins: `${withEngine}  - [toolkit/plugins/store-postgres, { url: 'postgresql://127.0.0.1:1/none' }]\n`,
      says: 'PLUGIN_INVALID: engine-local in this configuration is the engine of one machine',
    },
    {
      title: 'for a tool that there is not',
      plugins: withEngine + withStore,
      args: ['--tools', 'shop_fnd'],
      says: '"shop_fnd" in "--tools" matches no tool. Did you mean "shop_find"?',
    },
    {
      title: 'for a provider that there is not',
      plugins: withEngine + withStore,
      args: ['--providers', 'ship'],
      says: '"ship" in "--providers" matches no provider. Those there are: shop.',
    },
  ];
  for (const { title, plugins, args = [], says } of refused)
    it(`does not start ${title}`, async () => {
      const { exit, stderr } = start(['worker', ...args], { cwd: await callsFolder(plugins) });
      expect((await exit).code).to.equal(1);
      expect(stderr()).to.include(says);
    });
});
