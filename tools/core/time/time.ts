import { zoneOf } from './zone.ts';

interface NowResult {
  readonly iso: string;
  readonly unix_seconds: number;
  readonly timezone: string;
  readonly offset: string;
  readonly weekday: string;
  readonly note?: string;
}

/** Returns the current time in an IANA zone. Throws INVALID_PARAMETERS for an unknown zone. */
export async function now({ timezone }: { timezone: string }): Promise<NowResult> {
  const { DateTime } = await import('luxon');
  const zone = await zoneOf(timezone);
  const time = DateTime.now().setZone(zone);
  const note = zone.isUniversal ? undefined : (await import('../../../plugins/shared/time-zones/named-zone.ts')).zoneNote(zone);
  return {
    iso: time.toISO() ?? '',
    unix_seconds: Math.floor(time.toSeconds()),
    timezone,
    offset: time.toFormat('ZZ'),
    weekday: time.setLocale('en').weekdayLong ?? '',
    ...(note === undefined ? {} : { note }),
  };
}
