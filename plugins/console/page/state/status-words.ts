import { exactTime, preciseDuration } from '../formats/time.ts';

/** Returns a name of a status in words: `notClosed` becomes `Not closed`. */
export function nameInWords(name: string): string {
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
