import type { OutputParser } from '../../../plugins/executor-command/index.ts';
import { OutputRoom } from '../../../plugins/shared/output-room/output-room.ts';

export type Output = Readonly<Record<string, unknown>>;

type Run = Parameters<OutputParser>[1];

/**
 * Returns one part of an output. `members` continue from part to part, in this order: lists by items, texts by characters. An
 * offset counts both. All other members are in the first part only, except type and hash.
 */
export function partOf(whole: Output, members: readonly string[], { parameters, output: { budget } }: Run): Output {
  const offset = (parameters['offset'] as number | undefined) ?? 0;
  const given = members.filter((name) => Array.isArray(whole[name]) || typeof whole[name] === 'string');
  const empty = Object.fromEntries(given.map((name) => [name, Array.isArray(whole[name]) ? [] : '']));
  const { type, hash, size } = whole;
  const part: Record<string, unknown> =
    offset === 0 ? { ...whole } : Object.fromEntries(Object.entries({ type, hash, size }).filter(([, value]) => value !== undefined));
  Object.assign(part, empty);
  const room = new OutputRoom(budget, { ...part, truncated: false, next_offset: Number.MAX_SAFE_INTEGER });
  let before = 0;
  let taken = 0;
  let isFull = false;
  for (const name of given) {
    const all = whole[name] as string | readonly unknown[];
    const left = all.slice(Math.max(0, offset - before));
    before += all.length;
    if (isFull || left.length === 0) continue;
    const fitting = typeof left === 'string' ? room.takeText(left) : items(left, room, taken === 0);
    part[name] = fitting;
    taken += fitting.length;
    isFull = fitting.length < left.length;
  }
  const next = offset + taken;
  return next < before ? { ...part, truncated: true, next_offset: next } : part;
}

/** Takes the items that fit. The first item is always taken, so that each call makes progress. */
function items(all: readonly unknown[], room: OutputRoom, isFirst: boolean): readonly unknown[] {
  const end = all.findIndex((item, index) => !(room.take(item) || (isFirst && index === 0)));
  return end === -1 ? all : all.slice(0, end);
}
