import { excerpt } from '../../kernel/index.ts';
import type { Continuation, OffsetContinuation } from './continues.ts';
import { matchIndexes, valueAt } from './members.ts';

/** Limit of calls that the note names, such as for an output of many files. */
const maxCalls = 5;

/**
 * Returns the note in front of an output that stopped by itself: the calls that continue it, and a cheaper one. Undefined
 * where nothing follows.
 */
export function continuationNote(tool: string, output: unknown, continuations: readonly Continuation[]): string | undefined {
  const offsets = continuations.filter((one): one is OffsetContinuation => one.by === 'offset');
  const calls = offsets.flatMap((one) => nextCalls(tool, output, one));
  if (calls.length === 0) return undefined;
  const more = calls.length > maxCalls ? `, and ${calls.length - maxCalls} more like these` : '';
  const cheaper = offsets.find((one) => one.cheaper !== undefined)?.cheaper;
  return `More follows. Go on with ${calls.slice(0, maxCalls).join(', ')}${more}.${cheaper === undefined ? '' : ` Cheaper: ${cheaper}.`}`;
}

function nextCalls(
  tool: string,
  output: unknown,
  { when, parameter, from, with: others = {}, tool: other }: OffsetContinuation,
): readonly string[] {
  return matchIndexes(output, when).flatMap((indexes) => {
    const next = valueAt(output, from, indexes);
    if (valueAt(output, when, indexes) !== true || next === undefined || next === null) return [];
    const nextParameters = {
      ...Object.fromEntries(Object.entries(others).map(([name, member]) => [name, valueAt(output, member, indexes)])),
      [parameter]: next,
    };
    const shown = JSON.stringify(nextParameters);
    return other === undefined ? `${tool} again, with ${excerpt(shown, 1000)} and all else as before` : `${other} ${excerpt(shown, 1000)}`;
  });
}
