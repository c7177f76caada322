import { expect } from 'chai';
import { Exposition } from '../../../../plugins/telemetry/metrics/exposition.ts';
import { seriesOf } from './metrics-text.ts';

describe('the text of the numbers', () => {
  const exposition = new Exposition();

  it('has counters, gauges and histograms with their help and type', async () => {
    const text = await exposition.text(
      [
        { name: 'a_total', help: 'of a', kind: 'counter', labels: [], rows: [{ labels: [], value: 5 }] },
        { name: 'b', help: 'of\nb', kind: 'gauge', labels: ['x', 'y'], rows: [{ labels: ['1', '"2"\\\n'], value: -1.5 }] },
        { name: 'c', help: 'of c', kind: 'gauge', labels: ['x'], rows: [] },
      ],
      [
        {
          name: 'd_seconds',
          help: 'of d',
          labels: ['tool'],
          boundsSeconds: [0.1, 1],
          rows: [{ labels: ['t'], counts: [2, 3], count: 6, sumSeconds: 9.5 }],
        },
      ],
    );
    expect(text.slice(0, text.indexOf('# HELP process'))).to.equal(`# HELP a_total of a
# TYPE a_total counter
a_total 5

# HELP b of\\nb
# TYPE b gauge
b{x="1",y="\\"2\\"\\\\\\n"} -1.5

# HELP c of c
# TYPE c gauge

# HELP d_seconds of d
# TYPE d_seconds histogram
d_seconds_bucket{le="0.1",tool="t"} 2
d_seconds_bucket{le="1",tool="t"} 5
d_seconds_bucket{le="+Inf",tool="t"} 6
d_seconds_sum{tool="t"} 9.5
d_seconds_count{tool="t"} 6

`);
  });

  it('has the numbers of the process, and none that has the name of a counter and is a gauge', async () => {
    const text = await exposition.text([], []);
    const names = [...seriesOf(text).keys()];
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
      expect(names).to.include(name);
    const gauges = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name ?? '');
    expect(gauges.filter((name) => name.endsWith('_total'))).to.deep.equal([]);
  });

  it('is of a media type that Prometheus reads', () => {
    expect(exposition.contentType).to.equal('text/plain; version=0.0.4; charset=utf-8');
  });
});
