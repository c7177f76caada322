import { loadZoneData, ownVersion } from '../../../../shared/time-zones/named-zone.ts';
import type { Finding } from './finding.ts';

/**
 * Compares the time zone data of this Node with the newest that are installed. `own` is their version, such as `2025c`. Older ones are no fault of
 * what is checked here: what asks Node itself are handlers and programs of the operator.
 */
export function checkTimeZones(own: string = ownVersion): Finding {
  const { version } = loadZoneData();
  const message =
    own >= version
      ? `IANA data ${own}`
      : `tools and schedules follow the IANA data ${version}; those of this Node, ${own}, are older: a newer Node has newer ones for your handlers`;
  return { check: 'Time zones', state: 'ok', message };
}
