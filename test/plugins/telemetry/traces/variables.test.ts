import { expect } from 'chai';
import { type Environment, TraceVariables } from '../../../../plugins/telemetry/traces/variables.ts';

const otlp = 'OTEL_EXPORTER_OTLP';

describe('the variables of OpenTelemetry', () => {
  const asking: readonly (readonly [env: Environment, asks: boolean])[] = [
    [{}, false],
    [{ [`${otlp}_ENDPOINT`]: '' }, false],
    [{ [`${otlp}_ENDPOINT`]: ' ' }, false],
    [{ [`${otlp}_ENDPOINT`]: 'http://collector.example:4318' }, true],
    [{ [`${otlp}_TRACES_ENDPOINT`]: 'http://collector.example/v1/traces' }, true],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
    [{ OTEL_SERVICE_NAME: 'shop' }, false],
    [{ [`${otlp}_METRICS_ENDPOINT`]: 'http://collector.example/' }, false],
  ];
  for (const [env, asks] of asking)
    it(`${asks ? 'ask' : 'do not ask'} for traces by ${JSON.stringify(env)}`, () =>
      expect(new TraceVariables(env).namesExporter).to.equal(asks));

  const forbidding: readonly (readonly [env: Environment, by: string | undefined])[] = [
    [{}, undefined],
    [{ OTEL_SDK_DISABLED: 'true' }, 'OTEL_SDK_DISABLED=true'],
    [{ OTEL_SDK_DISABLED: 'True' }, 'OTEL_SDK_DISABLED=true'],
    [{ OTEL_SDK_DISABLED: 'false' }, undefined],
    [{ OTEL_SDK_DISABLED: '1' }, undefined],
    [{ OTEL_TRACES_EXPORTER: 'none' }, 'OTEL_TRACES_EXPORTER=none'],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, undefined],
  ];
  for (const [env, by] of forbidding)
    it(`${by === undefined ? 'allow' : 'forbid'} traces by ${JSON.stringify(env)}`, () =>
      expect(new TraceVariables(env).forbiddenBy).to.equal(by));

  const warned: readonly (readonly [env: Environment, warning: RegExp | undefined])[] = [
    [{ [`${otlp}_PROTOCOL`]: 'http/protobuf' }, undefined],
    [{ [`${otlp}_PROTOCOL`]: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": spans are sent by http\/protobuf/],
    [{ [`${otlp}_PROTOCOL`]: 'grpc', [`${otlp}_TRACES_PROTOCOL`]: 'http/protobuf' }, undefined],
    [{ OTEL_TRACES_EXPORTER: 'console' }, /^OTEL_TRACES_EXPORTER names console: the only exporter here is "otlp"/],
    [{ OTEL_TRACES_EXPORTER: 'otlp, zipkin' }, /names zipkin/],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, undefined],
    [{ [`${otlp}_ENDPOINT`]: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT is no URL of http or https: no spans are sent/],
  ];
  for (const [env, warning] of warned)
    it(`${warning === undefined ? 'have nothing to warn of' : 'warn'} for ${JSON.stringify(env)}`, () => {
      const { warnings } = new TraceVariables(env);
      expect(warnings).to.have.lengthOf(warning === undefined ? 0 : 1);
      if (warning !== undefined) expect(warnings[0]).to.match(warning);
    });

  it('stop spans by an exporter that is not here, and by an endpoint that is no URL', () => {
    const canSend = (exporter: string, endpoint = ''): boolean =>
      new TraceVariables({ OTEL_TRACES_EXPORTER: exporter, [`${otlp}_ENDPOINT`]: endpoint }).canSend;
    expect(['', 'otlp', 'otlp,console', 'console', 'zipkin'].map((exporter) => canSend(exporter))).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(['http://a.example', 'https://a.example', 'collector:4318', '%'].map((endpoint) => canSend('', endpoint))).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
  });

  it('say where spans go, without a path or a password', () => {
    const collector = (env: Environment): string => new TraceVariables(env).collector;
    expect(collector({})).to.equal('http://localhost:4318');
    expect(collector({ [`${otlp}_ENDPOINT`]: 'https://user:pass-word-1@a.example/otlp' })).to.equal('https://a.example');
    expect(collector({ [`${otlp}_ENDPOINT`]: 'http://a.example', [`${otlp}_TRACES_ENDPOINT`]: 'http://b.example:1/x' })).to.equal(
      'http://b.example:1',
    );
  });

  it('hold credentials: each value of the headers, decoded, without its scheme, and the password of an endpoint', () => {
    const values = new TraceVariables({
      [`${otlp}_HEADERS`]: 'authorization=Bearer%20token-of-collector, x-api-key = key-of-vendor=,tenant=7',
      [`${otlp}_TRACES_HEADERS`]: 'authorization=Basic dXNlcjpwYXNz',
      [`${otlp}_METRICS_ENDPOINT`]: 'https://user:pass%40word-1@a.example',
    }).credentials.map(([, value]) => value);
    expect(values).to.have.members([
      'Bearer%20token-of-collector',
      'Bearer token-of-collector',
      'token-of-collector',
      'key-of-vendor=',
      'Basic dXNlcjpwYXNz',
      'dXNlcjpwYXNz',
      'pass%40word-1',
      'pass@word-1',
    ]);
  });
});
