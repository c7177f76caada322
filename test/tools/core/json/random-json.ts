import type { JsonValue } from '../../../../kernel/index.ts';

const texts = [
  '',
  'a',
  'Grüße',
  '世界',
  '👋🏽',
  'yes',
  'null',
  '~',
  '1',
  '007',
  '1e3',
  ' x ',
  'a\nb',
  '"',
  "'",
  '#',
  '- a',
  'a: b',
  '@',
  '<&>',
  '\\',
  '\t',
];
const names = ['a', 'b', 'c', 'ä/ö', '~', '~1', '', ' ', '0', '1', '__proto__', 'constructor', 'toString', '名', 'a.b', 'yes'];

/** A JSON value that is at most `depth` levels deep, with texts and names that are easily got wrong. */
export function randomJson(random: () => number, depth: number): JsonValue {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const kind = random();
  if (depth <= 0 || kind < 0.5) {
    return pick<JsonValue>([null, true, false, 0, 1, -7, 0.5, 1e-7, 123456789012, 1.5e300, pick(texts), pick(texts), pick(texts)]);
  }
  const size = Math.floor(random() * 5);
  if (kind < 0.75) return Array.from({ length: size }, () => randomJson(random, depth - 1));
  return Object.fromEntries(Array.from({ length: size }, () => [pick(names), randomJson(random, depth - 1)]));
}

/** A value that is mostly the same, with something changed here and there. */
export function changedJson(value: JsonValue, random: () => number): JsonValue {
  if (random() < 0.1 || typeof value !== 'object' || value === null) return random() < 0.2 ? randomJson(random, 2) : value;
  if (Array.isArray(value)) {
    const items = value.filter(() => random() > 0.15).map((item) => changedJson(item, random));
    if (random() < 0.3) items.splice(Math.floor(random() * (items.length + 1)), 0, randomJson(random, 2));
    return items;
  }
  const members = Object.entries(value).filter(() => random() > 0.15);
  if (random() < 0.3) members.push([names[Math.floor(random() * names.length)] ?? '', randomJson(random, 2)]);
  return Object.fromEntries(members.map(([name, member]) => [name, changedJson(member, random)]));
}
