import { createHash } from 'node:crypto';
import type { Operation } from '../operations/operation.ts';
import { keyOfOperation } from './operation-key.ts';
import { withoutRepeats, wordsOf } from './words.ts';

const maxLength = 60;

const hashLength = 6;

/**
 * Returns the tool name of each operation, by its key: `<source>_` and the words of `operationId`, else method and path. A name that would be too
 * long ends with a hash of method and path; where several operations would get one name, all of them do, whatever their order. `known` names stay.
 */
export function toolNames(
  source: string,
  operations: readonly Operation[],
  known: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(known.values());
  const groups = new Map<string, string[]>();
  for (const operation of operations) {
    const key = keyOfOperation(operation);
    const before = known.get(key);
    if (before !== undefined) names.set(key, before);
    else {
      const name = proposedName(source, operation);
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [key]);
      else group.push(key);
    }
  }
  const drafts = [...groups].flatMap(([name, keys]) => {
    const isAlone = keys.length === 1 && name.length <= maxLength && !taken.has(name);
    return keys.map((key) => ({ key, name, draft: isAlone ? name : withHash(name, key) }));
  });
  // A name may also look like another one with its hash: then both get a longer one.
  const counts = new Map<string, number>([...taken].map((name) => [name, 1]));
  for (const { draft } of drafts) counts.set(draft, (counts.get(draft) ?? 0) + 1);
  for (const { key, name, draft } of drafts) names.set(key, counts.get(draft) === 1 ? draft : withHash(name, key, 2 * hashLength));
  return names;
}

function proposedName(source: string, { operationId = '', method, path }: Operation): string {
  const own = wordsOf(source);
  const ofId = wordsOf(operationId);
  const words = withoutRepeats(ofId.length > 0 ? ofId : [method, ...pathWords(path)]);
  const isPrefixed = words.length > own.length && own.every((word, index) => words[index] === word);
  return [source, ...(isPrefixed ? words.slice(own.length) : words)].join('_');
}

/** Returns the words of a path: `/files/{file_id}/tasks/{task_id}` has files, tasks, by, task, id. */
function pathWords(path: string): readonly string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.flatMap((segment, index) => {
    if (!segment.startsWith('{')) return wordsOf(segment.replaceAll(/\{[^{}]*\}/g, ' '));
    return index === segments.length - 1 ? ['by', ...wordsOf(segment)] : [];
  });
}

function withHash(name: string, key: string, length: number = hashLength): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, length);
  return `${name.slice(0, maxLength - length - 1).replace(/_+$/, '')}_${hash}`;
}
