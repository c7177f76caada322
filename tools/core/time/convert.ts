import { excerpt } from '../../../kernel/index.ts';
import { zoneNote } from '../../../plugins/shared/time-zones/named-zone.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { isoOf, momentOf, notes, readIso, roundedNote } from './moment.ts';
import { zoneOf } from './zone.ts';

interface ConvertParameters {
  readonly time: string;
  readonly from?: string;
  readonly to: string;
}

interface ConvertResult {
  readonly iso: string;
  readonly offset: string;
  readonly note?: string;
}

/** Converts a time to another zone. Throws INVALID_PARAMETERS, also when the offset of the time contradicts `from`. */
export async function convert({ time: text, from, to }: ConvertParameters): Promise<ConvertResult> {
  const target = await zoneOf(to, 'to');
  const source = from === undefined ? undefined : await zoneOf(from, 'from');
  const read = await readIso(text, 'time');
  if (read.offsetMinutes === undefined && source === undefined)
    throw invalidParameter(
      'from',
      `is needed, because the time "${excerpt(text)}" has no offset`,
      'Give the zone whose clocks show that time.',
    );
  const { time, note } = await momentOf(read, source);
  if (read.offsetMinutes !== undefined && read.offsetMinutes !== time.offset) {
    const message = `expected the zone of the time "${excerpt(text)}", received "${from}", where the offset is ${time.toFormat('ZZ')} then`;
    throw invalidParameter('from', message, 'Leave out "from", or the offset of the time.');
  }
  const converted = time.setZone(target);
  return {
    iso: isoOf(converted, 'time'),
    offset: converted.toFormat('ZZ'),
    ...notes(note, roundedNote(converted), zoneNote(time.zone), zoneNote(target)),
  };
}
