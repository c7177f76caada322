import { expect } from 'chai';
import { adviceFor, collectorOf } from '../../../../plugins/telemetry/traces/collector.ts';
import type { Environment } from '../../../../plugins/telemetry/traces/environment.ts';

const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const ofTraces = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
const headers = 'OTEL_EXPORTER_OTLP_HEADERS';
const headersOfTraces = 'OTEL_EXPORTER_OTLP_TRACES_HEADERS';

describe('the collector of the variables', () => {
  const rows: readonly (readonly [env: Environment, shown: string, variable: string | undefined])[] = [
    [{}, 'http://localhost:4318/v1/traces', undefined],
    [{ [endpoint]: ' ' }, 'http://localhost:4318/v1/traces', undefined],
    [{ [endpoint]: 'http://a.example:4318' }, 'http://a.example:4318/v1/traces', endpoint],
    [{ [endpoint]: 'https://user:pass-word-1@a.example/otlp/' }, 'https://a.example/otlp/v1/traces', endpoint],
    [{ [ofTraces]: 'http://user@b.example/x?key=a#b' }, 'http://b.example/x', ofTraces],
    [{ [endpoint]: 'http://a.example', [ofTraces]: 'http://b.example:1/x' }, 'http://b.example:1/x', ofTraces],
    [{ [endpoint]: 'collector:4318' }, '(no URL)', endpoint],
  ];
  for (const [env, shown, variable] of rows)
    it(`is ${shown} for ${JSON.stringify(env)}`, () => expect(collectorOf(env)).to.include({ shown, variable }));

  const steps: readonly (readonly [env: Environment, status: number | undefined, advice: string])[] = [
    [{}, undefined, `Name the collector in ${endpoint}, or start one there`],
    [{ [endpoint]: 'http://a.example' }, undefined, `Check ${endpoint}, and that the collector runs`],
    [{ [ofTraces]: 'http://a.example' }, undefined, `Check ${ofTraces}, and that the collector runs`],
    [{}, 401, `Give it the credentials that it expects in ${headers}`],
    [{ [headers]: 'a=b', [headersOfTraces]: 'a=b' }, 403, `Give it the credentials that it expects in ${headersOfTraces}`],
    [{ [endpoint]: 'http://a.example' }, 404, `Check ${endpoint}, to which v1/traces is added, or give the whole URL in ${ofTraces}`],
    [{ [ofTraces]: 'http://a.example' }, 404, `Check the path in ${ofTraces}, which is the whole URL`],
    [{}, 503, 'See its log for the reason'],
  ];
  for (const [env, status, advice] of steps)
    it(`has the next step after ${status ?? 'no answer'} for ${JSON.stringify(env)}: ${advice}`, () =>
      expect(adviceFor(collectorOf(env), status)).to.equal(advice));
});
