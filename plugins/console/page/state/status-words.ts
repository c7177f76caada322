import { exactTime, preciseDuration } from '../formats/time.ts';

/** Names of members that say too little as they are. */
const names: Readonly<Record<string, string>> = {
  callers: 'By caller',
  inUse: 'Calls that run, by caller',
  max: 'At most',
  maxSessions: 'At most',
  notClosed: 'Refused or being tried',
  unproven: 'Connections without a valid token so far',
};

/** Names of members whose own members are called by callers, tenants, servers or tools. */
const named: readonly string[] = ['callers', 'inUse', 'queues', 'upstreams', 'waiting'];

/** Returns the title of a member of `parent`: a foreign name as it is, one of a status in words. */
export function memberTitle(parent: string, name: string): string {
  return named.includes(parent) ? name : nameInWords(name);
}

/** Returns a name of a status in words: `notClosed` becomes `Not closed`, unless a better word is known. */
export function nameInWords(name: string): string {
  if (Object.hasOwn(names, name)) return names[name] ?? name;
  const words = name
    .replace(/(?:Ms|Bytes)$/, '')
    .replaceAll(/[._-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`)
    .trim();
  return words === '' ? name : `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

/** Returns a single value of a status, by the unit in its name. */
export function valueInWords(name: string, value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  if (name.endsWith('Ms')) return preciseDuration(value).replace(/ min 0 s$/, ' min');
  if (name.endsWith('At')) return exactTime(value);
  return name.endsWith('Bytes') ? bytes(value) : number(value);
}

/** Returns a measured number with its unit (UCUM): `3 calls`, `1.5 MB`, `20 s`. */
export function measured(value: number, unit: string): string {
  const noun = /^\{(.+)\}$/.exec(unit)?.[1];
  if (noun !== undefined) return `${number(value)} ${value === 1 ? noun : plural(noun)}`;
  switch (unit) {
    case 'By':
      return bytes(value);
    case 's':
      return preciseDuration(value * 1000);
    case 'ms':
      return preciseDuration(value);
    default:
      return unit === '' || unit === '1' ? number(value) : `${number(value)} ${unit}`;
  }
}

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 3 });
}

function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const index = value < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${(value / 1000 ** index).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[index]}`;
}
