import { createRequire } from 'node:module';
import { versions } from 'node:process';
import type { Zone } from 'luxon';
import type { ZoneData } from './zone-data.ts';

/** Version of the IANA data in this Node, such as `2025c`. */
export const ownVersion: string = versions['tz'] ?? '';

/** Source of zones with the newest installed data. */
export interface ZoneSource {
  /** Returns the zone of an IANA name that Intl knows, in any letter case. */
  zone(name: string): Promise<Zone>;
}

/**
 * Creates a source of zones. Loads the data with the first name, and caches zones, because comparing one takes some milliseconds. Tests
 * pass `load` and `version` (of Node's own data).
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
      // Names have any letter case; lower case keeps callers from filling the cache with variants.
      const key = name.toLowerCase();
      const zone = known.get(key) ?? find(key);
      known.set(key, zone);
      return zone;
    },
  };
}

const zones = zoneSource();

/** Returns the zone of an IANA name that Intl knows. All conversions to local time use it. */
export function namedZone(name: string): Promise<Zone> {
  return zones.zone(name);
}

/** Returns a note for a zone whose rules are newer than Node's data; undefined for any other zone. */
export function zoneNote(zone: Pick<Zone, 'name' | 'type'>): string | undefined {
  const { version } = zone as { readonly version?: string };
  if (zone.type !== 'newer' || version === undefined) return undefined;
  return `The clocks of ${zone.name} follow the IANA data ${version}; those of this Node, ${ownVersion}, have other rules.`;
}

/** Returns the newer data when they apply to a time (epoch ms); undefined when Node's data apply. */
export function newerData(at: number): ZoneData | undefined {
  const data = loadZoneData();
  return data.version > ownVersion && at >= sinceOf(ownVersion) ? data : undefined;
}

/** Loads the newest installed data. Required, not imported: it is JSON, and importing it as code takes several times as long. */
export function loadZoneData(): ZoneData {
  return createRequire(import.meta.url)('tzdata') as ZoneData;
}

/** Returns the name in the letter case of the data. */
function asWritten({ zones: written }: ZoneData, name: string): string {
  return Object.keys(written).find((known) => known.toLowerCase() === name) ?? name;
}

/** Returns the beginning of the year of Node's data, in epoch ms. For earlier times Node's data have more detail. */
function sinceOf(version: string): number {
  return Date.UTC(Number.parseInt(version, 10), 0, 1);
}
