import { newerData, ownVersion } from './named-zone.ts';
import { offsetChanges } from './offset-changes.ts';

/** Zones that a note names, at most. */
const maxNamed = 5;

/** The offsets of many zones at one moment. */
export interface ZoneOffsets {
  /** Such as `+05:30`, by the name of the zone. */
  readonly offsets: ReadonlyMap<string, string>;
  /** A sentence where Node's data say something else of some. */
  readonly note?: string;
}

/** Finds the offsets of zones, without keeping what one zone (`namedZone`) is asked for again. */
export function zoneOffsets(names: readonly string[], at: Date): ZoneOffsets {
  const newer = newerData(at.getTime());
  const offsets = new Map<string, string>();
  const differing: string[] = [];
  for (const name of names) {
    const own = ownOffset(name, at);
    const [change] = (newer === undefined ? undefined : offsetChanges(newer, name, at.getTime(), at.getTime() + 1)) ?? [];
    const offset = change === undefined ? own : shown(change.offsetMinutes);
    if (offset !== own) differing.push(name);
    offsets.set(name, offset);
  }
  if (newer === undefined || differing.length === 0) return { offsets };
  const more = differing.length > maxNamed ? ` and ${differing.length - maxNamed} more` : '';
  const named = `${differing.slice(0, maxNamed).join(', ')}${more}`;
  return {
    offsets,
    note: `The clocks of ${named} follow the IANA data ${newer.version}; those of this Node, ${ownVersion}, have other rules.`,
  };
}

/** By Intl and not by luxon, which would keep a formatter for each zone. */
function ownOffset(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(moment);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // "GMT+05:30", "GMT" for UTC; before time zones with seconds.
  return /[+-]\d\d:\d\d/.exec(name)?.[0] ?? '+00:00';
}

function shown(minutes: number): string {
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((value) => String(value).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
}
