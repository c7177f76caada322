import type { Finding } from '../finding.ts';
import { plainText } from '../plain/plain-text.ts';
import type { ScannedItem } from '../scanned-item.ts';
import { tokenize } from '../words/tokenize.ts';
import { passage } from './passage.ts';

/** ASCII that looks alike (UTS #39): these are one letter each. */
const asciiLookAlikes: readonly (readonly [RegExp, string])[] = [
  [/[I1|]/g, 'l'],
  [/0/g, 'O'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
];

/** Returns the form that a name shares with all that look like it, after UTS #39; case and separators make no difference. */
export function skeleton(name: string): string {
  const alike = asciiLookAlikes.reduce((text, [pattern, letter]) => text.replace(pattern, letter), plainText(name));
  return alike.toLowerCase().replace(/[\s._-]/g, '');
}

/** Share of common words from which on two descriptions of one name are the same tool's. */
const minShared = 0.5;

/** Finds names that look like others, and tools that pass for a tool of another source. `peers` are compared, not judged. */
export function lookAlikeNames(items: readonly ScannedItem[], peers: readonly ScannedItem[]): readonly Finding[] {
  const bySkeleton = new Map<string, ScannedItem[]>();
  for (const item of [...peers, ...items]) {
    const key = `${item.type} ${skeleton(item.name)}`;
    bySkeleton.set(key, [...(bySkeleton.get(key) ?? []).slice(0, 20), item]);
  }
  return items.flatMap((item) => {
    const others = (bySkeleton.get(`${item.type} ${skeleton(item.name)}`) ?? []).filter((other) => other !== item);
    const found = others.map((other) => compare(item, other)).find((finding) => finding !== undefined);
    return found === undefined ? [] : [found];
  });
}

function compare(item: ScannedItem, other: ScannedItem): Finding | undefined {
  if (item.type === 'document' || item.type === 'instructions') return undefined;
  const base = { item: `${item.type} "${passage(item.name, 0, 60)}"`, name: item.name, path: '', excerpt: passage(other.name, 0, 60) };
  if (item.name !== other.name) {
    const isForeign = /[^\0-\x7f]/u.test(item.name + other.name);
    return {
      ...base,
      severity: isForeign ? 'hard' : 'warning',
      kind: 'look-alike name',
      message: `Its name looks like that of another ${other.type}.`,
    };
  }
  if (item.source === other.source || !isDistinctive(item.name) || shared(item, other) < minShared) return undefined;
  return {
    ...base,
    severity: 'warning',
    kind: 'other tools',
    message: `It has the name and the description of a ${other.type} of another source.`,
  };
}

/** True for a name of two or more words: others have that of one word by chance. */
export function isDistinctive(name: string): boolean {
  return /[\p{L}\d][_.-]+[\p{L}\d]/u.test(name) || /\p{Ll}\p{Lu}/u.test(name);
}

/** Returns the share of words that two descriptions have in common. */
function shared(item: ScannedItem, other: ScannedItem): number {
  const [one, two] = [wordsOf(item), wordsOf(other)];
  if (one.size === 0 || two.size === 0) return 0;
  const common = [...one].filter((word) => two.has(word)).length;
  return common / (one.size + two.size - common);
}

/** Characters of a description that are compared. */
const maxCompared = 2000;

function wordsOf({ value }: ScannedItem): ReadonlySet<string> {
  const { description } = (typeof value === 'object' && value !== null ? value : {}) as { readonly description?: unknown };
  const text = typeof value === 'string' ? value : typeof description === 'string' ? description : '';
  return new Set(tokenize(plainText(text.slice(0, maxCompared))).map(({ word }) => word));
}
