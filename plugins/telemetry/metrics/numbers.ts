import type { Kernel, Logger } from '../../../kernel/index.ts';
import { version } from '../../shared/project/version.ts';
import { CallNumbers, callFamilies } from './call-numbers.ts';
import type { Exposition } from './exposition.ts';
import type { Family } from './family.ts';
import { GaugeFamilies } from './gauge-families.ts';

const droppedName = 'toolkit_metrics_dropped_series_total';

const build: Family = {
  name: 'toolkit_build_info',
  help: 'Version of this program and of Node.js.',
  kind: 'gauge',
  labels: ['version', 'node'],
  rows: [{ labels: [version, process.version], value: 1 }],
};

export interface NumbersOptions {
  /** Returns the kernel. Called once calls have begun. */
  readonly kernel: () => Pick<Kernel, 'registry' | 'gauges' | 'mask'>;
  readonly logger: Logger;
}

/** The text that is served, and its media type. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** The numbers of this process. prom-client is loaded where they can be asked for, by `start`, else they are only counted. */
export class Numbers {
  readonly calls: CallNumbers;
  readonly #gauges: GaugeFamilies;
  #exposition: Promise<Exposition> | undefined;
  #reading: Promise<MetricsText> | undefined;

  constructor({ kernel, logger }: NumbersOptions) {
    this.calls = new CallNumbers({ registry: () => kernel().registry });
    this.#gauges = new GaugeFamilies({
      gauges: () => kernel().gauges,
      logger,
      mask: (value) => kernel().mask(value),
      reserved: new Set([...callFamilies, build.name, droppedName]),
    });
  }

  /** Begins to measure the process. */
  start(): Promise<Exposition> {
    this.#exposition ??= import('./exposition.ts').then(({ Exposition: Made }) => new Made());
    return this.#exposition;
  }

  /** Returns all numbers as they are now. Readers that come while they are read get the same text. */
  read(): Promise<MetricsText> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(): Promise<MetricsText> {
    const exposition = await this.start();
    const gauges = await this.#gauges.read();
    const families = [build, ...this.calls.families, ...gauges, this.#dropped()];
    return { contentType: exposition.contentType, text: await exposition.text(families, [this.calls.durations]) };
  }

  #dropped(): Family {
    return {
      name: droppedName,
      help: 'Values that were counted as _OTHER because their family has all the series that it may have.',
      kind: 'counter',
      labels: ['family'],
      rows: [...this.calls.dropped, ...this.#gauges.dropped].map(([family, value]) => ({ labels: [family], value })),
    };
  }
}
