import type { JsonObject, JsonValue } from '../../../kernel/index.ts';
import { canonical } from './canonical.ts';
import { checkDocument } from './check-document.ts';
import { escapedName } from './json-pointer.ts';

type Change =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string };

interface DiffParameters {
  readonly left: JsonValue;
  readonly right: JsonValue;
}

interface DiffResult {
  readonly patch: readonly Change[];
  readonly equal: boolean;
}

/** Maximum insertions and removals to find in a list. Lists with more differences are compared index by index. */
const maxEditLength = 2000;

type DiffArrays = typeof import('diff')['diffArrays'];

/** Returns the JSON Patch (RFC 6902) that turns `left` into `right`. Takes quadratic time in the number of changes. Throws OUTPUT_TOO_LARGE. */
export async function diff({ left, right }: DiffParameters): Promise<DiffResult> {
  const { diffArrays } = await import('diff');
  const patch = changesOf(left, right, '', diffArrays);
  checkDocument(patch, { parameter: 'right', advice: 'Compare parts of the documents.' });
  return { patch, equal: patch.length === 0 };
}

function changesOf(left: JsonValue, right: JsonValue, path: string, diffArrays: DiffArrays): Change[] {
  if (Array.isArray(left) && Array.isArray(right)) return listChanges(left, right, path, diffArrays);
  if (isObject(left) && isObject(right)) return memberChanges(left, right, path, diffArrays);
  return canonical(left) === canonical(right) ? [] : [{ op: 'replace', path, value: right }];
}

function memberChanges(left: JsonObject, right: JsonObject, path: string, diffArrays: DiffArrays): Change[] {
  const gone = Object.keys(left).filter((name) => !Object.hasOwn(right, name));
  const removals: Change[] = gone.map((name) => ({ op: 'remove', path: `${path}/${escapedName(name)}` }));
  const others = Object.entries(right).flatMap(([name, value]): Change[] => {
    const memberPath = `${path}/${escapedName(name)}`;
    if (!Object.hasOwn(left, name)) return [{ op: 'add', path: memberPath, value }];
    return changesOf(left[name] as JsonValue, value, memberPath, diffArrays);
  });
  return [...removals, ...others];
}

/** Compares two lists. An item removed and one added at the same index count as one changed item. */
function listChanges(left: readonly JsonValue[], right: readonly JsonValue[], path: string, diffArrays: DiffArrays): Change[] {
  const changes: Change[] = [];
  // `at` is an index in the list as it is after the changes so far.
  let [at, inLeft, inRight] = [0, 0, 0];
  for (const { kept, removed, added } of blocksOf(left, right, diffArrays)) {
    const paired = Math.min(removed, added);
    for (let index = 0; index < paired; index += 1) {
      const [before, after] = [left[inLeft + index] as JsonValue, right[inRight + index] as JsonValue];
      for (const change of changesOf(before, after, `${path}/${at + index}`, diffArrays)) changes.push(change);
    }
    for (let index = paired; index < removed; index += 1) changes.push({ op: 'remove', path: `${path}/${at + paired}` });
    for (let index = paired; index < added; index += 1)
      changes.push({ op: 'add', path: `${path}/${at + index}`, value: right[inRight + index] as JsonValue });
    at += added + kept;
    inLeft += removed + kept;
    inRight += added + kept;
  }
  return changes;
}

/** Changed items, then unchanged ones. */
interface Block {
  removed: number;
  added: number;
  kept: number;
}

function blocksOf(left: readonly JsonValue[], right: readonly JsonValue[], diffArrays: DiffArrays): readonly Block[] {
  const [leftTexts, rightTexts] = [left.map(canonical), right.map(canonical)];
  const parts = diffArrays(leftTexts, rightTexts, { maxEditLength });
  if (parts === undefined) return [{ removed: left.length, added: right.length, kept: 0 }];
  const blocks: Block[] = [{ removed: 0, added: 0, kept: 0 }];
  for (const { added, removed, count } of parts) {
    if ((blocks.at(-1)?.kept ?? 0) > 0) blocks.push({ removed: 0, added: 0, kept: 0 });
    const block = blocks.at(-1) as Block;
    if (added) block.added += count;
    else if (removed) block.removed += count;
    else block.kept += count;
  }
  return blocks;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
