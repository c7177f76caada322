import { expect } from 'chai';
import type { Finding } from '../../../kernel/index.ts';
import { telemetryChecks } from '../../../plugins/telemetry/checks.ts';
import type { TelemetryOptions } from '../../../plugins/telemetry/options.ts';

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a.example:4318' };

async function findings(options: TelemetryOptions, env: Readonly<Record<string, string>>, isListed = true): Promise<Finding[]> {
  const services = { kernel: undefined, state: undefined, cwd: '/', env, isListed };
  return (await Promise.all(telemetryChecks.map((check) => check.run(options, services)))).flat();
}

describe('the checks of telemetry()', () => {
  const rows: readonly (readonly [
    what: string,
    options: TelemetryOptions,
    env: Readonly<Record<string, string>>,
    found: readonly string[],
  ])[] = [
    ['no variable', {}, {}, []],
    ['a collector', {}, collector, ['ok: a server or worker sends spans to http://a.example:4318/v1/traces']],
    ['traces: true', { traces: true }, {}, ['ok: a server or worker sends spans to http://localhost:4318/v1/traces']],
    ['traces: false', { traces: false }, collector, []],
    ['OTEL_SDK_DISABLED', {}, { ...collector, OTEL_SDK_DISABLED: 'true' }, []],
    [
      'a share without a sampler',
      {},
      { ...collector, OTEL_TRACES_SAMPLER_ARG: '0.1' },
      [
        'warning: OTEL_TRACES_SAMPLER_ARG is "0.1" and has no effect: it belongs to traceidratio and parentbased_traceidratio in OTEL_TRACES_SAMPLER',
        'ok: a server or worker sends spans to http://a.example:4318/v1/traces',
      ],
    ],
    [
      'another exporter',
      { metrics: false },
      { OTEL_TRACES_EXPORTER: 'console' },
      ['warning: OTEL_TRACES_EXPORTER names console: the only exporter here is "otlp". Name that one: of others no spans are sent'],
    ],
  ];
  for (const [what, options, env, found] of rows)
    it(`find ${found.length === 0 ? 'nothing' : found.length} with ${what}`, async () =>
      expect((await findings(options, env)).map(({ state, message }) => `${state}: ${message}`)).to.deep.equal(found));

  it('find nothing where the configuration does not list it', async () =>
    expect(await findings({ traces: true }, collector, false)).to.deep.equal([]));
});
