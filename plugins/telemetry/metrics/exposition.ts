import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Family, HistogramFamily } from './family.ts';
import { addProcessMetrics } from './process-metrics.ts';

/** The text format of Prometheus, by prom-client, with the numbers of the process. Imported only where somebody can ask for the numbers. */
export class Exposition {
  readonly #process = new Registry();

  constructor() {
    addProcessMetrics(this.#process);
  }

  /** Media type of the text. */
  get contentType(): string {
    return this.#process.contentType;
  }

  /** Returns the families, and those of the process. */
  async text(families: readonly Family[], histograms: readonly HistogramFamily[]): Promise<string> {
    const given = new Registry();
    for (const family of families) addFamily(family, given);
    for (const histogram of histograms) new GivenHistogram(histogram, given);
    return Registry.merge([given, this.#process]).metrics();
  }
}

function addFamily({ name, help, kind, labels, rows }: Family, registry: Registry): void {
  const settings = { name, help, labelNames: labels, registers: [registry] };
  const metric = kind === 'counter' ? new Counter(settings) : new Gauge(settings);
  for (const row of rows) metric.inc(labelled(labels, row.labels), row.value);
}

function labelled(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

/** A histogram whose counts are given. To count by prom-client itself costs 2 µs a call. */
class GivenHistogram extends Histogram {
  readonly #family: HistogramFamily;

  constructor(family: HistogramFamily, registry: Registry) {
    const { name, help, labels, boundsSeconds } = family;
    super({ name, help, labelNames: labels, buckets: [...boundsSeconds], registers: [registry] });
    this.#family = family;
  }

  /** Returns the series. The registry calls it, in place of `get`. */
  async getForPromString(): Promise<object> {
    const { name, help, labels: names, boundsSeconds, rows } = this.#family;
    const values = rows.flatMap(({ labels, counts, count, sumSeconds }) => {
      const sharedLabels = labelled(names, labels);
      const series = (suffix: string, value: number, own: object = {}): object => ({
        metricName: `${name}${suffix}`,
        labels: own,
        sharedLabels,
        value,
      });
      let upTo = 0;
      const buckets = boundsSeconds.map((le, index) => {
        upTo += counts[index] ?? 0;
        return series('_bucket', upTo, { le });
      });
      return [...buckets, series('_bucket', count, { le: '+Inf' }), series('_sum', sumSeconds), series('_count', count)];
    });
    return { name, help, type: 'histogram', values };
  }
}
