import { normalizeText } from '../../../kernel/index.ts';
import { zoneOffsets } from '../../../plugins/shared/time-zones/zone-offsets.ts';
import { notes, readMoment } from './moment.ts';
import { zoneNames } from './zone.ts';

interface ListParameters {
  readonly filter?: string;
  readonly at?: string;
}

interface ListedZone {
  readonly name: string;
  readonly offset: string;
}

interface ListedZones {
  readonly timezones: readonly ListedZone[];
  readonly note?: string;
}

/** Lists time zones with their offset at a moment. Throws INVALID_PARAMETERS for an invalid moment. */
export async function listTimezones({ filter = '', at }: ListParameters): Promise<ListedZones> {
  const moment = at === undefined ? new Date() : (await readMoment(at, 'at')).time.toJSDate();
  const wanted = plain(filter);
  const isOffset = /^[+-]\d\d:\d\d$/.test(wanted);
  const named = isOffset ? zoneNames() : zoneNames().filter((name) => plain(name).includes(wanted));
  const { offsets, note } = zoneOffsets(named, moment);
  const listed = [...offsets].map(([name, offset]) => ({ name, offset }));
  return { timezones: isOffset ? listed.filter(({ offset }) => offset === wanted) : listed, ...notes(note) };
}

/** Removes accents, case, and the difference between space and underscore. */
function plain(text: string): string {
  return normalizeText(text, 'NFD').replace(/\p{M}/gu, '').trim().toLowerCase().replaceAll(' ', '_');
}
