import { ToolkitError } from '../../../kernel/index.ts';

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
  const time = DateTime.now().setZone(timezone);
  const iso = time.toISO();
  if (!time.isValid || iso === null) throw unknownZone(timezone);
  return {
    iso,
    unix_seconds: Math.floor(time.toSeconds()),
    timezone,
    offset: time.toFormat('ZZ'),
    weekday: time.setLocale('en').weekdayLong ?? '',
  };
}

function unknownZone(timezone: string): ToolkitError {
  const message = `expected an IANA time zone such as Europe/Berlin, received "${timezone}"`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "timezone": ${message}.`, { issues: [{ path: 'timezone', message }] });
}
