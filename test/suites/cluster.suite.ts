/** The servers of compose.cluster.yaml, by its own commands and variables, over a PostgreSQL of these tests. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { forFile, type Started, start } from '../e2e/program.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type ClusterProxy, proxyBefore } from './docker/cluster-proxy.ts';
import { readServices, type Service } from './docker/compose.ts';
import { execForm, readDockerfile } from './docker/dockerfile.ts';
import { RealServer } from './postgres/server.ts';
import { legacyClient } from './replicas/clients.ts';
import { token } from './replicas/replicas.ts';

const folder = 'plugins/mcp/docker';
const composeFile = `${folder}/compose.cluster.yaml`;
const caddyfile = `${folder}/cluster/Caddyfile`;
const configFile = 'cluster/toolkit.config.yaml';
const given = {
  TOOLKIT_MCP_TOKEN: token,
  TOOLKIT_KEY: 'a key of thirty-two bytes or more',
  TOOLKIT_STORE_PASSWORD: 'store-password',
  TOOLKIT_GRAFANA_PASSWORD: 'grafana-password',
};
const names = ['server-1', 'server-2', 'server-3'] as const;

const servicesOf = (env: Readonly<Record<string, string>> = given) => readServices(composeFile, env);

describe('compose.cluster.yaml', () => {
  for (const name of Object.keys(given))
    it(`asks for ${name}, and says what makes one`, async () => {
      const refused = await servicesOf({ ...given, [name]: '' }).catch((error: Error) => error);
      expect(refused).to.be.instanceOf(Error).with.property('message').that.includes(name).and.includes('openssl rand');
    });

  it('has three servers that differ in nothing, with no right that they do not need', async () => {
    const { store, proxy, worker, prometheus, grafana, ...servers } = await servicesOf();
    expect(Object.keys(servers)).to.deep.equal(names);
    for (const server of Object.values(servers)) {
      expect(server).to.deep.equal(servers['server-1']);
      expect(server).to.deep.include({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    }
  });

  it('has a worker that is as they are, but serves nobody', async () => {
    const { worker, 'server-1': server } = await servicesOf();
    const { entrypoint, command, healthcheck, ...others } = worker as Service;
    const { command: _command, healthcheck: _healthcheck, ...those } = server as Service;
    expect(others).to.deep.equal(those);
    expect(entrypoint?.slice(0, 2)).to.deep.equal(['toolkit', 'worker']);
    expect(healthcheck).to.deep.equal({ disable: true });
  });

  it('is reached from this machine alone, through the proxy, and its dashboard through Grafana', async () => {
    const ports = Object.entries(await servicesOf()).map(([name, service]) => [name, service.ports ?? []]);
    expect(ports.filter(([, own]) => own?.length !== 0)).to.deep.equal([
      ['proxy', ['127.0.0.1:3000:8080']],
      ['grafana', ['127.0.0.1:3001:3000']],
    ]);
  });

  it('gives the servers the store that it has', async () => {
    const { store, 'server-1': server } = await servicesOf();
    const { host, pathname, username, password } = new URL(server?.environment['TOOLKIT_STORE_URL'] ?? '');
    expect([host, pathname]).to.deep.equal(['store:5432', `/${store?.environment['POSTGRES_DB']}`]);
    expect([username, password]).to.deep.equal([store?.environment['POSTGRES_USER'], store?.environment['POSTGRES_PASSWORD']]);
  });

  it('mounts what is there, for reading only', async () => {
    const volumes = Object.values(await servicesOf()).flatMap((service) => service.volumes ?? []);
    const mounts = volumes.filter((volume) => typeof volume !== 'string');
    expect(mounts.filter(({ source, read_only }) => !read_only || !existsSync(path.join(folder, source)))).to.deep.equal([]);
  });

  it('has a proxy that knows all servers, asks whether they are ready, and shows nobody what they answer', async () => {
    const text = await readFile(caddyfile, 'utf8');
    expect(/reverse_proxy (.*) \{/.exec(text)?.[1]?.split(' ')).to.deep.equal(names.map((name) => `${name}:3000`));
    expect(text)
      .to.match(/health_uri \/ready$/m)
      .and.to.match(/@probes path \/live \/ready\s+respond @probes 404/);
  });
});

describe('the servers of compose.cluster.yaml', () => {
  let database: RealServer;
  let storeUrl: string;
  let proxy: ClusterProxy;
  let services: Readonly<Record<string, Service>>;
  /** The configuration of the cluster, with numbers on a port that is free on this machine. */
  let config: string;
  let running: { readonly server: Started; readonly port: number; readonly cwd: string }[];

  before(() =>
    forFile(async () => {
      database = await RealServer.start();
      services = await servicesOf();
      storeUrl = await database.makeDatabase();
      const text = await readFile(`${folder}/${configFile}`, 'utf8');
      const local = text.replace('port: 9464, host: 0.0.0.0', 'port: 0');
      expect(local).to.not.equal(text);
      config = path.join(await temporaryFolder({ 'cluster.yaml': local }), 'cluster.yaml');
      const work = await temporaryFolder({ 'package.json': '{}' });
      const dockerfile = readDockerfile(await readFile(`${folder}/Dockerfile`, 'utf8'));
      const [, ...flags] = execForm(dockerfile.find(({ keyword }) => keyword === 'ENTRYPOINT')?.rest ?? '');
      running = await Promise.all(names.map((name) => run(services[name] as Service, flags, work, storeUrl)));
      proxy = await proxyBefore(
        caddyfile,
        running.map(({ port }) => port),
      );
    }),
  );
  after(async () => {
    await proxy?.close();
    for (const { server } of running ?? []) {
      server.child.kill('SIGKILL');
      await server.exit;
    }
    await database?.undo();
    await database?.stop();
  });

  /** As the image starts it, with the paths and the port of this machine. */
  async function run(service: Service, flags: readonly string[], cwd: string, store: string) {
    const server = await startOf(service, flags, cwd, store);
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    return { server, cwd, port: Number(new URL(url).port) };
  }

  async function startOf(service: Service, flags: readonly string[], cwd: string, store: string): Promise<Started> {
    const mounts = service.volumes.filter((volume) => typeof volume !== 'string');
    const args = [...flags, ...service.command].map((text) => {
      const source = mounts.find(({ target }) => target === text)?.source;
      if (source === `./${configFile}`) return config;
      return source === undefined ? text.replace(/^0\.0\.0\.0$/, '127.0.0.1').replace(/^3000$/, '0') : path.resolve(folder, source);
    });
    return start(args, { cwd, env: { ...service.environment, TOOLKIT_STORE_URL: store, XDG_STATE_HOME: await temporaryFolder() } });
  }

  it('are ready, as their health check finds', async () => {
    const [{ port, cwd } = { port: 0, cwd: '' }] = running;
    const [, , flag = '', script = ''] = services['server-1']?.healthcheck.test ?? [];
    expect(flag).to.equal('-e');
    const file = path.join(await temporaryFolder({ 'check.mjs': script.replace('3000', `${port}`) }), 'check.mjs');
    expect(await start([], { cwd, program: file }).exit).to.deep.equal({ code: 0, signal: null });
  });

  it('have a worker that makes durable calls of a host beside them', async () => {
    const [{ cwd } = { cwd: '' }] = running;
    const { worker } = services as { readonly worker: Service };
    const [, ...flags] = worker.entrypoint ?? [];
    const started = await startOf(worker, flags, cwd, storeUrl);
    await started.waitFor(/takes durable calls of all tools, 4 at the same time/);
    const index = pathToFileURL(path.resolve('dist/plugins/toolkit/index.js')).href;
    const host = `import { Toolkit } from ${JSON.stringify(index)};
const toolkit = await Toolkit.init({ config: ${JSON.stringify(config)} });
const handle = await toolkit.execute('math_evaluate', { expression: '6 * 7' }, { durable: true, id: 'a' });
console.log(JSON.stringify(await handle.result()));
await toolkit.close();`;
    const file = path.join(await temporaryFolder({ 'host.mjs': host }), 'host.mjs');
    const { exit, stdout, stderr } = start([], { cwd, program: file, env: { ...worker.environment, TOOLKIT_STORE_URL: storeUrl } });
    expect((await exit).code, stderr()).to.equal(0);
    expect(stdout()).to.include('42');
    started.child.kill('SIGTERM');
    expect(await started.exit).to.deep.equal({ code: 0, signal: null });
  });

  it('answer one session at all three, and go on when one is stopped', async () => {
    const client = await legacyClient(proxy.url);
    const call = (): Promise<string> => client.call('time_now', {});
    for (let round = 0; round < 6; round++) expect(await call()).to.include('iso');
    const [first, ...others] = running;
    first?.server.child.kill('SIGTERM');
    let isOver = false;
    const exit = first?.server.exit.finally(() => {
      isOver = true;
    });
    let calls = 0;
    for (; !isOver || calls < 6; calls++) expect(await call()).to.include('iso');
    expect(await exit).to.deep.equal({ code: 0, signal: null });
    for (const { server } of others) expect(server.child.exitCode).to.equal(null);
    await client.end();
  });
});
