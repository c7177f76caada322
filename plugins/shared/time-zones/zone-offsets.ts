import { newerData, ownVersion } from './named-zone.ts';
import { offsetChanges } from './offset-changes.ts';

/** Maximum number of zones named in a note. */
const maxNamed = 5;

/** Offsets of many zones at one time. */
export interface ZoneOffsets {
  /** Offsets such as `+05:30`, by zone name. */
  readonly offsets: ReadonlyMap<string, string>;
  /** Note when Node's data differ for some zones. */
  readonly note?: string;
}

/** Computes the offsets of zones. Unlike `namedZone`, caches no zone. */
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

/** Returns Node's offset. Uses Intl directly: luxon would cache a formatter for each zone. */
function ownOffset(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(moment);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // "GMT+05:30", or "GMT" for UTC; historic local times have seconds.
  return /[+-]\d\d:\d\d/.exec(name)?.[0] ?? '+00:00';
}

function shown(minutes: number): string {
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((value) => String(value).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
}
