import type { Zone } from 'luxon';
import { didYouMean, excerpt } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';

/** The IANA names of three letters. Others that the runtime knows, such as PST and IST, mean several places. */
const shortNames = new Set(['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST', 'PRC', 'ROC', 'ROK', 'UCT', 'UTC', 'WET']);

/** Current names of zones that the runtime lists under older ones. */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Returns one IANA name for each time zone, and UTC, in alphabetical order. */
export function zoneNames(): readonly string[] {
  const names = Intl.supportedValuesOf('timeZone').map((name) => renamed[name] ?? name);
  return [...new Set([...names, 'UTC'])].sort();
}

/** Finds an IANA time zone, in upper or lower case. Throws INVALID_PARAMETERS with the nearest names. */
export async function zoneOf(name: string, parameter = 'timezone'): Promise<Zone> {
  const { FixedOffsetZone, IANAZone } = await import('luxon');
  if (/^(utc|gmt)$/i.test(name)) return FixedOffsetZone.utcInstance;
  if (isIanaName(name) && IANAZone.isValidZone(name)) {
    // Loaded on demand: most calls are in UTC and do not need it.
    const { namedZone } = await import('../../../plugins/shared/time-zones/named-zone.ts');
    return namedZone(name);
  }
  const message = `expected an IANA time zone such as Europe/Berlin, received "${excerpt(name, 60)}"`;
  throw invalidParameter(parameter, message, adviceFor(name));
}

function isIanaName(name: string): boolean {
  if (!/^[a-z]/i.test(name) || /^SystemV\//i.test(name)) return false;
  return name.length !== 3 || shortNames.has(name.toUpperCase());
}

function adviceFor(name: string): string {
  if (/^[A-Z]{3,5}$/.test(name)) return 'Abbreviations can mean several zones: give that of a city.';
  if (/\d/.test(name)) return 'An offset is no time zone: write it behind the time, as in 2024-02-29T10:00:00+01:00.';
  return didYouMean(name.trim().replaceAll(' ', '_').slice(0, 60), zoneNames()).trim();
}
