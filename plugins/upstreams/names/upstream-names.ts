import { createHash } from 'node:crypto';
import { excerpt } from '../../../kernel/index.ts';
import { type NameSelection, nameSelector } from './name-selection.ts';

/** Maximum characters of a name, with the prefix of the source: some clients put their own in front of it. */
const maxLength = 60;

/** Maximum characters of a name that an upstream gives. */
const maxOriginal = 256;

const hashLength = 6;

export interface NameRequest {
  /** The name of the source: the prefix of all names. */
  readonly source: string;
  /** The names as the upstream lists them. */
  readonly originals: readonly unknown[];
  readonly selection?: NameSelection;
  /** Names that stay, by their original: those of the lock. @default none */
  readonly known?: ReadonlyMap<string, string>;
}

/** A name that is not taken, with the reason as the end of a sentence that begins with the name. */
export interface RefusedName {
  /** The name as a message may show it. */
  readonly original: string;
  readonly reason: string;
}

export interface UpstreamNames {
  /** Our names, by their originals. */
  readonly names: ReadonlyMap<string, string>;
  /** Originals that the configuration leaves out. */
  readonly excluded: readonly string[];
  readonly refused: readonly RefusedName[];
  /** Entries of `include`, `exclude` and `rename` that fit no name, such as `exclude: "delte_*"`. */
  readonly unused: readonly string[];
}

/**
 * Returns our names of an upstream's tools or prompts: the prefix of the source, and each character that a name cannot have as `_`. Over 60 characters, or
 * where several would get one name, they end with a hash of the original. The order of the list does not matter.
 */
export function upstreamNames({ source, originals, selection = {}, known = new Map() }: NameRequest): UpstreamNames {
  const refused: RefusedName[] = [];
  const listed = distinctNames(originals, refused);
  const select = nameSelector(selection);
  const excluded = listed.filter((original) => !select.isIncluded(original));
  const included = listed.filter((original) => select.isIncluded(original));
  const names = new Map<string, string>();
  const renamed = new Map<string, string[]>();
  for (const original of included) {
    const target = select.renamed(original);
    if (target === undefined) continue;
    const name = `${source}_${target}`;
    const issue = /^[A-Za-z0-9_-]+$/.test(target) && name.length <= maxLength ? undefined : renameIssue(target, source);
    if (issue !== undefined) refused.push({ original: excerpt(original, 60), reason: issue });
    else renamed.set(name, [...(renamed.get(name) ?? []), original]);
  }
  for (const [name, group] of renamed) {
    const [only, second] = group;
    if (only !== undefined && second === undefined) names.set(only, name);
    else
      for (const original of group)
        refused.push({ original: excerpt(original, 60), reason: `is renamed to "${name}", as another one is too` });
  }
  const reserved = new Set(names.values());
  const kept = new Map([...known].filter(([, name]) => !reserved.has(name)));
  const taken = new Set([...reserved, ...kept.values()]);
  const free = included.filter((original) => select.renamed(original) === undefined);
  for (const original of free) {
    const name = kept.get(original);
    if (name !== undefined) names.set(original, name);
  }
  nameOthers(
    source,
    free.filter((original) => !kept.has(original)),
    taken,
    names,
  );
  return { names, excluded, refused, unused: select.unused(listed) };
}

/** Gives names to originals that have none, and adds them to `names`. */
function nameOthers(source: string, originals: readonly string[], taken: ReadonlySet<string>, names: Map<string, string>): void {
  const groups = new Map<string, number>();
  const drafts = originals.map((original) => ({ original, plain: `${source}_${original.replaceAll(/[^A-Za-z0-9_-]/gu, '_')}` }));
  for (const { plain } of drafts) groups.set(plain, (groups.get(plain) ?? 0) + 1);
  const hashed = drafts.map(({ original, plain }) => {
    const isAlone = groups.get(plain) === 1 && plain.length <= maxLength && !taken.has(plain);
    return { original, plain, name: isAlone ? plain : withHash(plain, original, hashLength) };
  });
  // A name may also be equal to another one with its hash: then both get a longer hash.
  const counts = new Map([...taken].map((name) => [name, 1]));
  for (const { name } of hashed) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { original, plain, name } of hashed)
    names.set(original, counts.get(name) === 1 ? name : withHash(plain, original, 4 * hashLength));
}

function withHash(name: string, original: string, length: number): string {
  const hash = createHash('sha256').update(original).digest('hex').slice(0, length);
  return `${name.slice(0, maxLength - length - 1).replace(/_+$/, '')}_${hash}`;
}

/** Returns the names that can be taken. One that stands twice is left out: the upstream would choose which of the two runs. */
function distinctNames(originals: readonly unknown[], refused: RefusedName[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const original of originals) {
    if (typeof original !== 'string') refused.push({ original: '(no name)', reason: 'has no text as its name' });
    else if (original.trim() === '') refused.push({ original: '(no name)', reason: 'has an empty name' });
    else if (original.length > maxOriginal)
      refused.push({
        original: excerpt(original, 60),
        reason: `has a name of ${original.length} characters, expected at most ${maxOriginal}`,
      });
    else counts.set(original, (counts.get(original) ?? 0) + 1);
  }
  for (const [original, count] of counts)
    if (count > 1) refused.push({ original: excerpt(original, 60), reason: `is listed ${count} times: none of them is taken` });
  return [...counts].flatMap(([original, count]) => (count === 1 ? [original] : []));
}

function renameIssue(target: string, source: string): string {
  const most = maxLength - source.length - 1;
  return `is renamed to "${excerpt(target, 60)}": expected letters, digits, "_" and "-", ${most} characters at most`;
}
