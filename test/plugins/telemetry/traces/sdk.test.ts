import { trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { expect } from 'chai';
import type { Kernel } from '../../../../kernel/index.ts';
import { telemetry } from '../../../../plugins/telemetry/index.ts';
import type { TelemetryOptions } from '../../../../plugins/telemetry/options.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../support/after-each.ts';
import { closedPort } from '../../../support/closed-port.ts';
import { otlpCollector } from '../../../support/telemetry/otlp-collector.ts';
import { spansInMemory } from '../../../support/telemetry/spans-in-memory.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { until } from '../../../support/until.ts';

const before = { ...process.env };

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  Object.assign(process.env, before);
});

/** A serving kernel in a process with these variables. */
async function serving(
  env: Readonly<Record<string, string>>,
  options: TelemetryOptions = {},
): Promise<{ kernel: Kernel; logger: ReturnType<typeof memoryLogger> }> {
  Object.assign(process.env, env);
  const logger = memoryLogger();
  const kernel = await testKernel({ plugins: [telemetry({ metrics: false, ...options })], tools: [echoTool()], logger });
  await kernel.serve();
  return { kernel, logger };
}

const warnings = (logger: ReturnType<typeof memoryLogger>): string[] =>
  logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message);

/** True where spans are recorded in this process. */
const isTraced = (): boolean => trace.getTracer('test').startSpan('test').isRecording();

describe('the SDK of OpenTelemetry', () => {
  it('sends the spans of a serving process, named by the variables', async () => {
    const collector = await otlpCollector();
    const { kernel } = await serving({
      ...collector.env,
      OTEL_SERVICE_NAME: 'shop',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    await kernel.execute('echo', { text: 'a' });
    const span = await collector.span('execute_tool echo');
    expect(span.resource).to.include({ 'service.name': 'shop', 'deployment.environment.name': 'test', 'telemetry.sdk.language': 'nodejs' });
    expect(span.resource['service.instance.id']).to.match(/^[0-9a-f-]{36}$/);
    expect(span).to.deep.include({ kind: 'internal', attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'echo' } });
  });

  it('has the name toolkit without a variable for it', async () => {
    const collector = await otlpCollector();
    const { kernel } = await serving({ ...collector.env, OTEL_SERVICE_NAME: '' });
    await kernel.execute('echo');
    expect((await collector.span('execute_tool echo')).resource).to.include({ 'service.name': 'toolkit' });
  });

  it('sends the last spans when the kernel closes, and is gone then', async () => {
    const collector = await otlpCollector();
    const { kernel } = await serving({ ...collector.env, OTEL_BSP_SCHEDULE_DELAY: '3600000' });
    await kernel.execute('echo');
    expect(collector.spans).to.deep.equal([]);
    await kernel.close();
    expect(collector.spans.map(({ name }) => name)).to.include('execute_tool echo');
    expect(isTraced()).to.equal(false);
  });

  it('starts anew for the next kernel of the process', async () => {
    const first = await otlpCollector();
    const { kernel } = await serving(first.env);
    await kernel.close();
    const second = await otlpCollector();
    await (await serving(second.env)).kernel.execute('echo');
    await second.span('execute_tool echo');
  });

  it('samples by the variables', async () => {
    const collector = await otlpCollector();
    const { kernel } = await serving({ ...collector.env, OTEL_TRACES_SAMPLER: 'parentbased_always_off' });
    const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await kernel.execute('echo');
    await kernel.call({ tool: 'echo', trace: { traceparent: parent } });
    await kernel.close();
    expect(collector.spans.map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).to.deep.equal([
      [parent.slice(3, 35), parent.slice(36, 52)],
    ]);
  });

  const off: readonly (readonly [title: string, env: Readonly<Record<string, string>>, options: TelemetryOptions])[] = [
    ['without a variable that asks for one', {}, {}],
    ['with OTEL_SDK_DISABLED', { OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }, {}],
    ['with OTEL_SDK_DISABLED, also for traces: true', { OTEL_SDK_DISABLED: 'true' }, { traces: true }],
    ['with OTEL_TRACES_EXPORTER=none', { OTEL_TRACES_EXPORTER: 'none' }, { traces: true }],
    ['with an exporter that is not here', { OTEL_TRACES_EXPORTER: 'console' }, {}],
    ['with traces: false', { OTEL_TRACES_EXPORTER: 'otlp' }, { traces: false }],
  ];
  for (const [title, env, options] of off) {
    it(`does not start ${title}`, async () => {
      await serving(env, options);
      expect(isTraced()).to.equal(false);
    });
  }

  it('starts for traces: true without a variable', async () => {
    await serving({ OTEL_BSP_SCHEDULE_DELAY: '3600000', OTEL_TRACES_SAMPLER: 'always_on' }, { traces: true });
    expect(isTraced()).to.equal(true);
  });

  it('warns once of a protocol that it does not speak', async () => {
    const collector = await otlpCollector();
    const { logger } = await serving({ ...collector.env, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    expect(warnings(logger)).to.deep.equal([
      'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": spans are sent by http/protobuf. Set it to that, with the port that the collector has for it, such as 4318',
    ]);
  });

  it('is not started with headers that no request can have, which are no part of the log', async () => {
    const collector = await otlpCollector();
    const { logger } = await serving({ ...collector.env, OTEL_EXPORTER_OTLP_HEADERS: 'authorization: Bearer token-of-collector==' });
    expect(isTraced()).to.equal(false);
    expect(warnings(logger)).to.have.lengthOf(1);
    expect(JSON.stringify(logger.records)).to.not.include('token-of-collector');
  });

  it('of the host is in the log without a variable too, once', async () => {
    spansInMemory();
    const { logger } = await serving({});
    expect(logger.records.filter(({ level }) => level === 'info').map(({ message }) => message)).to.deep.equal([
      'spans go by the SDK of this process, with its settings',
    ]);
  });

  it('is not started where the host has one, which gets the spans', async () => {
    const collector = await otlpCollector();
    const { span } = spansInMemory();
    const { kernel, logger } = await serving(collector.env, { traces: true });
    const lines = logger.records.filter(({ level }) => level !== 'debug').map(({ level, message }) => [level, message]);
    expect(lines).to.deep.equal([['info', 'spans go by the SDK of this process, with its settings']]);
    await kernel.execute('echo');
    expect(span('execute_tool echo').resource['service.name']).to.not.equal('toolkit');
    await kernel.close();
    expect(collector.requests).to.deep.equal([]);
    expect(isTraced()).to.equal(true);
  });

  it('leaves the contexts of a host that does not trace alone', async () => {
    const collector = await otlpCollector();
    spansInMemory();
    trace.disable();
    const { kernel } = await serving(collector.env);
    await kernel.close();
    new NodeTracerProvider().register({ contextManager: null });
    trace.getTracer('host').startActiveSpan('host', (span) => expect(trace.getActiveSpan()).to.equal(span));
  });

  it('sends the credentials of the collector, which are masked everywhere else and no secret of a tool', async () => {
    const collector = await otlpCollector();
    const { kernel, logger } = await serving({ ...collector.env, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token-of-collector' });
    expect(await kernel.execute('echo', { text: 'Bearer token-of-collector' })).to.not.deep.include({ text: 'Bearer token-of-collector' });
    kernel.logger.warn('seen token-of-collector');
    await collector.span('execute_tool echo');
    expect(collector.requests[0]?.headers).to.include({ authorization: 'Bearer token-of-collector' });
    expect(JSON.stringify(logger.records)).to.not.include('token-of-collector');
  });

  const refusals: readonly (readonly [status: number, says: string])[] = [
    [400, 'Bad Request (400). They are lost; calls go on. See its log for the reason'],
    [401, 'Unauthorized (401). They are lost; calls go on. Give it the credentials that it expects in OTEL_EXPORTER_OTLP_HEADERS'],
    [503, 'it answers 503. They are lost; calls go on. See its log for the reason'],
  ];
  for (const [status, says] of refusals)
    it(`reports a collector that refuses with ${status} once, by its URL and without what it says, and calls go on`, async () => {
      // The exporter does not try again within its time.
      const collector = await otlpCollector({ status: () => status, headers: { 'retry-after': '3600' } });
      const { kernel, logger } = await serving(collector.env);
      for (const sent of [1, 2, 3]) {
        expect(await kernel.execute('echo', { text: 'a' })).to.deep.equal({ text: 'a' });
        await until(() => (collector.requests.length >= sent ? true : undefined));
      }
      await kernel.close();
      expect(warnings(logger)[0]).to.equal(`spans do not reach the collector at ${collector.url}/v1/traces: ${says}`);
      // The further ones with the count of them, when the kernel closes.
      expect(warnings(logger)).to.have.lengthOf.within(1, 2);
    });

  it('does not hold up the end of a process whose collector is away', async () => {
    const { kernel, logger } = await serving({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await closedPort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    });
    await kernel.execute('echo');
    await kernel.close();
    expect(warnings(logger).join('\n')).to.match(
      /^spans do not reach the collector at http:\/\/127\.0\.0\.1:\d+\/v1\/traces: .*ECONNREFUSED.* Check OTEL_EXPORTER_OTLP_ENDPOINT, and that the collector runs$/m,
    );
  });
});
