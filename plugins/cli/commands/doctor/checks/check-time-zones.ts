import type { Finding } from '../../../../../kernel/index.ts';
import { loadZoneData, ownVersion } from '../../../../shared/time-zones/named-zone.ts';

/**
 * Compares the time zone data of this Node (`own`, such as `2025c`) with the newest installed data. Older data is never a problem:
 * only handlers and programs of the operator use Node's own data.
 */
export function checkTimeZones(own: string = ownVersion): Finding {
  const { version } = loadZoneData();
  const message =
    own >= version
      ? `IANA data ${own}`
      : `tools and schedules follow the IANA data ${version}; those of this Node, ${own}, are older: a newer Node has newer ones for your handlers`;
  return { check: 'Time zones', state: 'ok', message };
}
