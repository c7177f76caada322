import type { Kernel, Logger, Refusal } from '../../../../../kernel/index.ts';
import { RepeatedReports } from '../../../../shared/reports/repeated-reports.ts';

/** Maximum number of counted reasons and addresses. Beyond it, addresses share one count. */
const maxCounts = 1000;

/** Address in the shared count. */
const otherAddresses = 'others';

type Occurrence = Omit<Refusal, 'count'>;

/**
 * Reports requests that are refused before they become calls, to the log and to plugins that keep records. Reports the first one of a
 * reason and address at once, then their number once a minute. Memory is bounded for any number of addresses.
 */
export class RefusalReports extends RepeatedReports<Occurrence> {
  constructor(kernel: Pick<Kernel, 'reportRefusal'>, logger: Logger) {
    super({
      keyOf: ({ reason, address }) => `${reason} ${address}`,
      maxKeys: maxCounts,
      toOther: (occurrence) => ({ ...occurrence, address: otherAddresses }),
      report: (occurrence, count) => {
        const { reason, ...more } = occurrence;
        logger.warn(`refused before it was a call: ${reason}`, { ...more, count });
        kernel.reportRefusal({ ...occurrence, count });
      },
    });
  }
}
