import { normalizeText } from '../../../kernel/index.ts';
import { readMoment } from './moment.ts';
import { zoneNames } from './zone.ts';

interface ListParameters {
  readonly filter?: string;
  readonly at?: string;
}

interface ListedZone {
  readonly name: string;
  readonly offset: string;
}

/** Time zones with their offset at a moment. Throws INVALID_PARAMETERS for the moment. */
export async function listTimezones({ filter = '', at }: ListParameters): Promise<{ readonly timezones: readonly ListedZone[] }> {
  const moment = at === undefined ? new Date() : (await readMoment(at, 'at')).time.toJSDate();
  const wanted = plain(filter);
  const isOffset = /^[+-]\d\d:\d\d$/.test(wanted);
  const named = isOffset ? zoneNames() : zoneNames().filter((name) => plain(name).includes(wanted));
  const listed = named.map((name) => ({ name, offset: offsetOf(name, moment) }));
  return { timezones: isOffset ? listed.filter(({ offset }) => offset === wanted) : listed };
}

/** Without accents, case, and the difference of space and underscore. */
function plain(text: string): string {
  return normalizeText(text, 'NFD').replace(/\p{M}/gu, '').trim().toLowerCase().replaceAll(' ', '_');
}

/** By Intl and not by luxon, which would keep a formatter for each zone. */
function offsetOf(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(moment);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // "GMT+05:30", "GMT" for UTC; before time zones with seconds.
  return /[+-]\d\d:\d\d/.exec(name)?.[0] ?? '+00:00';
}
