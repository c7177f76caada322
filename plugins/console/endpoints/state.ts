import { excerpt, type Gauge, type GaugeRow, type Kernel, type Logger, messageOf } from '../../../kernel/index.ts';
import { withinLimit } from '../../shared/checks/within-limit.ts';
import type { ShownGauge, StatePage } from '../wire/state.ts';
import type { Endpoint } from './endpoint.ts';

/** Time limit of one number, in milliseconds. */
const timeoutMs = 2000;

/** Sessions, limits, circuits and queues: the statuses of plugins, and the numbers that they state. */
export const stateEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: 'state', answer: (_request, { kernel, logger }) => statePage(kernel, logger) },
];

async function statePage(kernel: Kernel, logger: Logger): Promise<StatePage> {
  const gauges = await Promise.all(kernel.gauges.map((gauge) => shownGauge(gauge, { mask: (value) => kernel.mask(value) })));
  for (const { name, failure } of gauges) if (failure !== undefined) logger.debug('a number cannot be read', { name, failure });
  return kernel.mask({ ...readStatus(kernel), gauges });
}

function readStatus(kernel: Kernel): Pick<StatePage, 'status' | 'failure'> {
  try {
    return { status: kernel.status() };
  } catch (error) {
    return { status: {}, failure: excerpt(kernel.mask(messageOf(error))) };
  }
}

/** Returns a number with its rows. One that cannot be read has its message, and no rows. */
async function shownGauge({ name, description, unit, kind = 'gauge', read }: Gauge, { mask }: Pick<Kernel, 'mask'>): Promise<ShownGauge> {
  const shown = { name, description, unit, kind };
  try {
    const value = await withinLimit(async () => read(), timeoutMs, `reading ${name}`);
    return { ...shown, rows: rowsOf(value) };
  } catch (error) {
    // Masked before it is cut: half a secret is not recognised.
    return { ...shown, rows: [], failure: excerpt(mask(messageOf(error))) };
  }
}

function rowsOf(value: number | readonly GaugeRow[] | undefined): readonly GaugeRow[] {
  if (value === undefined) return [];
  return typeof value === 'number' ? [{ labels: {}, value }] : value.map(({ labels, value: number }) => ({ labels, value: number }));
}
