import { expect } from 'chai';
import type { Environment } from '../../../../plugins/telemetry/traces/environment.ts';
import { TraceVariables } from '../../../../plugins/telemetry/traces/variables.ts';

const otlp = 'OTEL_EXPORTER_OTLP';
const sampler = 'OTEL_TRACES_SAMPLER';

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
    [{ [`${otlp}_TRACES_PROTOCOL`]: 'grpc' }, /^OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is "grpc"/],
    [{ [`${otlp}_ENDPOINT`]: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT is no URL of http or https: no spans are sent/],
    [{ [`${otlp}_TRACES_ENDPOINT`]: 'collector' }, /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is no URL/],
    [{ [sampler]: 'parentbased_always_off' }, undefined],
    [{ [sampler]: ' ' }, undefined],
    [
      { [sampler]: 'ratio' },
      /^OTEL_TRACES_SAMPLER is "ratio": expected always_on, .*, parentbased_traceidratio\. parentbased_always_on takes its place: all traces/,
    ],
    [{ [sampler]: 'Always_On' }, /^OTEL_TRACES_SAMPLER is "Always_On"/],
    [{ [sampler]: 'ratio', [`${sampler}_ARG`]: '0.1' }, /^OTEL_TRACES_SAMPLER is "ratio"/],
    [{ [sampler]: 'traceidratio', [`${sampler}_ARG`]: '0.1' }, undefined],
    [{ [sampler]: 'traceidratio', [`${sampler}_ARG`]: '0' }, undefined],
    [
      { [sampler]: 'traceidratio', [`${sampler}_ARG`]: '10%' },
      /^OTEL_TRACES_SAMPLER_ARG is "10%": expected a number from 0 to 1, such as 0\.1\. All traces are sent$/,
    ],
    [{ [sampler]: 'parentbased_traceidratio', [`${sampler}_ARG`]: '10' }, /^OTEL_TRACES_SAMPLER_ARG is "10": expected/],
    [{ [sampler]: 'parentbased_traceidratio' }, /^OTEL_TRACES_SAMPLER_ARG is not set: expected/],
    [
      { [`${sampler}_ARG`]: '0.1' },
      /^OTEL_TRACES_SAMPLER_ARG is "0\.1" and has no effect: it belongs to traceidratio and parentbased_traceidratio/,
    ],
    [{ [`${otlp}_HEADERS`]: 'a=b, c = d%20e,' }, undefined],
    [
      { [`${otlp}_HEADERS`]: 'a=b,my-token' },
      /^OTEL_EXPORTER_OTLP_HEADERS: entry 2 has no "=": it is not sent as it stands there\. Expected name=value/,
    ],
    [{ [`${otlp}_TRACES_HEADERS`]: 'my-token' }, /^OTEL_EXPORTER_OTLP_TRACES_HEADERS: entry 1 has no "="/],
    [{ [`${otlp}_HEADERS`]: '=my-token' }, /entry 1 has no name/],
    [{ [`${otlp}_HEADERS`]: 'my-token=' }, /entry 1 has no value/],
    [{ [`${otlp}_HEADERS`]: 'a=my-token%' }, /entry 1 has a "%" that begins no escape; write %25 for it/],
    [{ [`${otlp}_HEADERS`]: 'a=my-token;b' }, /entry 1 has a ";", which ends its value; write %3B for it/],
    [
      { [`${otlp}_HEADERS`]: 'x,authorization: my-token==' },
      /entry 2 has a name that no header can have \(and 1 more\): no spans are sent/,
    ],
    [{ [`${otlp}_HEADERS`]: 'a=my-token%0A' }, /entry 1 has a character that no header can have: no spans are sent/],
  ];
  for (const [env, warning] of warned)
    it(`${warning === undefined ? 'have nothing to warn of' : 'warn'} for ${JSON.stringify(env)}`, () => {
      const { warnings } = new TraceVariables(env);
      expect(warnings).to.have.lengthOf(warning === undefined ? 0 : 1);
      if (warning !== undefined) expect(warnings[0]).to.match(warning).and.not.include('my-token');
    });

  const sending: readonly (readonly [env: Environment, canSend: boolean])[] = [
    [{}, true],
    [{ OTEL_TRACES_EXPORTER: 'otlp,console' }, true],
    [{ OTEL_TRACES_EXPORTER: 'console' }, false],
    [{ [`${otlp}_ENDPOINT`]: 'https://a.example' }, true],
    [{ [`${otlp}_ENDPOINT`]: 'collector:4318' }, false],
    [{ [`${otlp}_ENDPOINT`]: '%' }, false],
    [{ [`${otlp}_HEADERS`]: 'no header' }, true],
    [{ [`${otlp}_HEADERS`]: 'no header=a' }, false],
    [{ [`${otlp}_TRACES_HEADERS`]: 'a=b%00' }, false],
  ];
  for (const [env, canSend] of sending)
    it(`${canSend ? 'let spans leave' : 'stop spans'} by ${JSON.stringify(env)}`, () =>
      expect(new TraceVariables(env).canSend).to.equal(canSend));

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
