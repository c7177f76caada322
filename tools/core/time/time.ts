import { zoneOf } from './zone.ts';

interface NowResult {
  readonly iso: string;
  readonly unix_seconds: number;
  readonly timezone: string;
  readonly offset: string;
  readonly weekday: string;
}

/** The current time in an IANA zone. Throws INVALID_PARAMETERS for an unknown zone. */
export async function now({ timezone }: { timezone: string }): Promise<NowResult> {
  const { DateTime } = await import('luxon');
  const time = DateTime.now().setZone(await zoneOf(timezone));
  return {
    iso: time.toISO() ?? '',
    unix_seconds: Math.floor(time.toSeconds()),
    timezone,
    offset: time.toFormat('ZZ'),
    weekday: time.setLocale('en').weekdayLong ?? '',
  };
}
