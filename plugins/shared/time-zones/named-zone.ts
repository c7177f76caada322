import { createRequire } from 'node:module';
import { versions } from 'node:process';
import type { Zone } from 'luxon';
import type { ZoneData } from './zone-data.ts';

/** The version of the IANA data in this Node, such as `2025c`. */
export const ownVersion: string = versions['tz'] ?? '';

/** Zones by the newest data that are here. */
export interface ZoneSource {
  /** The zone of an IANA name that Intl knows, in any case of letters. */
  zone(name: string): Promise<Zone>;
}

/**
 * A source of zones. It loads the data at the first name, and keeps what it has found, because a zone takes some milliseconds to compare.
 * `load` and `version`, of Node's own data, are for tests.
 */
export function zoneSource(load: () => ZoneData = loadZoneData, version: string = ownVersion): ZoneSource {
  const known = new Map<string, Promise<Zone>>();
  const find = async (name: string): Promise<Zone> => {
    const { IANAZone } = await import('luxon');
    const data = load();
    const own = IANAZone.create(asWritten(data, name));
    if (data.version <= version) return own;
    const { NewerZone } = await import('./newer-zone.ts');
    return NewerZone.where(own, data, sinceOf(version)) ?? own;
  };
  return {
    zone(name) {
      // Any case of letters is a name, and no caller may fill the memory with them.
      const key = name.toLowerCase();
      const zone = known.get(key) ?? find(key);
      known.set(key, zone);
      return zone;
    },
  };
}

const zones = zoneSource();

/** The zone of an IANA name that Intl knows: every moment that becomes what clocks of a place show goes through one of these. */
export function namedZone(name: string): Promise<Zone> {
  return zones.zone(name);
}

/** A sentence for a result of a zone whose rules are newer than Node's data; undefined for any other zone. */
export function zoneNote(zone: Pick<Zone, 'name' | 'type'>): string | undefined {
  const { version } = zone as { readonly version?: string };
  if (zone.type !== 'newer' || version === undefined) return undefined;
  return `The clocks of ${zone.name} follow the IANA data ${version}; those of this Node, ${ownVersion}, have other rules.`;
}

/** The data that count for a moment, in epoch ms; undefined where those of Node do. */
export function newerData(at: number): ZoneData | undefined {
  const data = loadZoneData();
  return data.version > ownVersion && at >= sinceOf(ownVersion) ? data : undefined;
}

/** The newest data that are here. Required, because that reads JSON: importing the same as code takes several times as long. */
export function loadZoneData(): ZoneData {
  return createRequire(import.meta.url)('tzdata') as ZoneData;
}

/** The name as the data write it. */
function asWritten({ zones: written }: ZoneData, name: string): string {
  return Object.keys(written).find((known) => known.toLowerCase() === name) ?? name;
}

/** The beginning of the year of Node's data, in epoch ms. Of what was before Node's data say more. */
function sinceOf(version: string): number {
  return Date.UTC(Number.parseInt(version, 10), 0, 1);
}
