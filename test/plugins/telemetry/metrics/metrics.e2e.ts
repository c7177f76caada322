import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { apiVersion, definePlugin, type Gauge } from '../../../../kernel/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { telemetry } from '../../../../plugins/telemetry/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { bareKernel, echoTool } from '../../../support/test-kernel.ts';
import { quietly, send, startServer, token, type WireServer, wireServer } from '../../mcp/support/wire.ts';
import { WireClient } from '../../mcp/support/wire-client.ts';
import { ownSeriesOf, seriesOf } from './metrics-text.ts';

const scrape = async (port: number, authorization: string | undefined = `Bearer ${token}`): Promise<string> => {
  const { status, body } = await send(port, { method: 'GET', path: '/metrics', headers: { authorization } });
  expect(status, body).to.equal(200);
  return body;
};

const withGauges = (...gauges: readonly Gauge[]) =>
  definePlugin({
    name: 'owner',
    apiVersion,
    apply({ extend }) {
      for (const gauge of gauges) extend.gauge(gauge);
    },
  })();

describe('/metrics on the MCP server', () => {
  it('shows calls, failures by code, gauges, the process and the version to the operator', async () => {
    const failing = echoTool({
      name: 'fails',
      execution: {
        type: 'function',
        handler: () => {
          throw new Error('It fails.');
        },
      },
    });
    const circuits: Gauge = {
      name: 'circuits',
      description: 'circuits by state',
      unit: '{circuit}',
      labels: ['state'],
      read: async () => [{ labels: { state: 'open' }, value: 2 }],
    };
    const { port } = await wireServer({ more: [withGauges(circuits), telemetry()] }, [failing]);
    const client = await WireClient.open(port);
    for (const name of ['echo', 'echo', 'fails', 'made_up']) await client.call(name, { text: 'a' });
    await client.call('echo', { text: 5 });
    const { status, headers, body } = await send(port, { method: 'GET', path: '/metrics' });
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8');
    const series = seriesOf(body);
    expect(Object.fromEntries(series)).to.include({
      'toolkit_calls_total{tool="echo",outcome="completed"}': 2,
      'toolkit_calls_total{tool="echo",outcome="failed"}': 1,
      'toolkit_calls_total{tool="fails",outcome="failed"}': 1,
      'toolkit_calls_total{tool="_OTHER",outcome="failed"}': 1,
      'toolkit_call_errors_total{tool="echo",code="INVALID_PARAMETERS"}': 1,
      'toolkit_call_errors_total{tool="fails",code="EXECUTION_FAILED"}': 1,
      'toolkit_call_errors_total{tool="_OTHER",code="TOOL_NOT_FOUND"}': 1,
      'toolkit_call_duration_seconds_count{tool="echo"}': 3,
      'toolkit_call_duration_seconds_bucket{le="+Inf",tool="echo"}': 3,
      'toolkit_circuits{state="open"}': 2,
      'toolkit_metrics_dropped_series_total{family="toolkit_circuits"}': 0,
    });
    expect([...series.keys()]).to.include('nodejs_eventloop_lag_p99_seconds');
    expect([...series.keys()].find((name) => name.startsWith('toolkit_build_info'))).to.include(`node="${process.version}"`);
  });

  it('is refused without the token of an operator', async () => {
    const { port } = await wireServer({ more: [telemetry()], tokens: [{ name: 'ada', token: 'the-token-of-ada' }] });
    for (const [authorization, expected] of [
      [undefined, 401],
      ['Bearer the-token-of-ada', 403],
    ] as const) {
      const { status, body } = await send(port, { method: 'GET', path: '/metrics', headers: { authorization } });
      expect(status).to.equal(expected);
      expect(body).not.to.include('toolkit_');
    }
  });

  it('is in the log at the start, with its address', async () => {
    const { port, records } = await wireServer({ more: [telemetry()] });
    const lines = records.filter(({ level }) => level === 'info').map(({ message }) => message);
    expect(lines).to.include(`metrics: http://127.0.0.1:${port}/metrics, with the token of an operator`);
  });

  it('is not there without metrics', async () => {
    const { port } = await wireServer({ more: [telemetry({ metrics: false })] });
    expect((await send(port, { method: 'GET', path: '/metrics' })).status).to.equal(404);
  });

  it('has no secret, no argument, no result and no name of a client in a label', async () => {
    const planted = 'planted-secret-of-the-test';
    const secrets = secretsEnv({ env: { ECHO_TOKEN: planted } });
    const echo = echoTool({ name: 'echo_with', secrets: ['ECHO_TOKEN'] });
    const depots: Gauge = {
      name: 'depots',
      description: 'depots by name',
      unit: '{source}',
      labels: ['source'],
      read: () => [{ labels: { source: `a-${planted}` }, value: 1 }],
    };
    const { port, kernel } = await wireServer({ more: [secrets, withGauges(depots), telemetry()] }, [echo]);
    await kernel.resolveSecrets(['ECHO_TOKEN']);
    const client = await WireClient.open(port, token, { clientInfo: { name: planted, version: planted } });
    await client.call('echo_with', { text: planted });
    await client.call(planted, { [planted]: planted });
    await client.call(`x"} 1\n${planted}`, { text: planted });
    await client.call('echo_with', { [planted]: 1 });
    const body = await scrape(port);
    expect(body).to.include('toolkit_calls_total{tool="echo_with",outcome="completed"} 1').and.include('toolkit_depots{source=');
    expect(body).not.to.include(planted).and.not.to.include('default').and.not.to.include(client.sessionId);
  });
});

describe('/metrics on a port of its own', () => {
  const urlOf = ({ running }: Pick<WireServer, 'running'>): string => running.find(({ name }) => name === 'metrics')?.url ?? '';

  // Own text: the address of a running server.
  const portOf = (server: Pick<WireServer, 'running'>): number => Number(new URL(urlOf(server)).port);

  it('is started with the transports, reported after them and in the log, and ended with the kernel', async () => {
    const server = await startServer({ more: [telemetry({ metrics: { port: 0 } })] });
    try {
      expect(server.running.map(({ name }) => name)).to.deep.equal(['mcp (http)', 'metrics']);
      expect(server.records.map(({ message }) => message)).to.include(`metrics: ${urlOf(server)}`);
      await (await WireClient.open(server.port)).call('echo', { text: 'a' });
      const series = ownSeriesOf(await scrape(portOf(server), undefined));
      expect(series.get('toolkit_calls_total{tool="echo",outcome="completed"}')).to.equal(1);
    } finally {
      await server.kernel.close();
    }
    const refused = await send(portOf(server), { method: 'GET', path: '/metrics' }).catch((error: NodeJS.ErrnoException) => error.code);
    expect(refused).to.equal('ECONNREFUSED');
  });

  it('is named on the MCP server, to the operator alone', async () => {
    const server = await wireServer({ more: [telemetry({ metrics: { port: 0 } })] });
    const answers = await Promise.all(
      [`Bearer ${token}`, undefined].map((authorization) =>
        send(server.port, { method: 'GET', path: '/metrics', headers: { authorization } }),
      ),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([404, 401]);
    expect(answers[0]?.body).to.equal(`The numbers are at ${urlOf(server)}.\n`);
    expect(answers[1]?.body).not.to.include(urlOf(server));
  });

  const hosts: readonly (readonly [host: string | undefined, isWarnedOf: boolean])[] = [
    [undefined, false],
    ['localhost', false],
    ['0.0.0.0', true],
  ];
  for (const [host, isWarnedOf] of hosts)
    it(`${isWarnedOf ? 'is warned of once' : 'is no reason for a warning'} on ${host ?? 'its default address'}`, async () => {
      const metrics = { port: 0, ...(host === undefined ? {} : { host }) };
      const server = await wireServer({ more: [telemetry({ metrics })] });
      const warnings = server.records.filter(({ level, message }) => level === 'warn' && message.includes('metrics'));
      const expected = `metrics: "metrics.host" of telemetry is ${host}: whoever reaches ${urlOf(server)} reads the numbers. No token is asked for`;
      expect(warnings.map(({ message }) => message)).to.deep.equal(isWarnedOf ? [expected] : []);
    });

  it('ends the start where the port is in use, before anything else has begun', async () => {
    const first = await bareKernel({ plugins: [telemetry({ metrics: { port: 0 } })] });
    const running = await first.serve();
    let hasBegun = false;
    const worker = definePlugin({
      name: 'worker-of-the-test',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.serve.tap('begin', () => {
          hasBegun = true;
        }),
    });
    const second = await bareKernel({ plugins: [worker(), telemetry({ metrics: { port: portOf({ running }) } })] });
    const error = await rejection(
      quietly(() => second.serve({ work: { concurrency: 1 } })),
      'CONFIG_INVALID',
    );
    expect(error.message).to.include('is in use. Stop the other program');
    expect(hasBegun).to.equal(false);
  });

  it('is served by a worker as well', async () => {
    const kernel = await bareKernel({ plugins: [telemetry({ metrics: { port: 0 } })] });
    const running = await kernel.serve({ work: { concurrency: 1 } });
    expect(ownSeriesOf(await scrape(portOf({ running }), undefined)).size).to.be.above(0);
  });
});

it('costs a program without a server neither prom-client nor its end', async () => {
  // From source: in a bundle without chunks, what is imported late is imported at once.
  const args = ['--import', 'tsx', 'test/plugins/telemetry/metrics/library-user.ts'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).to.equal(0);
  // Own text: printed by the child.
  expect(JSON.parse(printed)).to.deep.equal({ code: 'TOOL_NOT_FOUND', loaded: [] });
});
