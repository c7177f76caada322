import type { JsonSchema } from '../../../kernel/index.ts';
import { type Shape, turnsOf } from './generated-value.ts';

const whole: Shape = { members: 'all', items: 2, nulls: false, turn: 0 };

/** More values than this in one enum are not all tried: languages, emoji. */
const maxTurns = 24;

/** The shapes of answers that every tool must take. */
export function answerShapes(schema: JsonSchema): readonly Shape[] {
  const turns = Math.min(maxTurns, turnsOf(schema));
  return [
    ...Array.from({ length: turns }, (_, turn) => ({ ...whole, turn })),
    { ...whole, nulls: true },
    { ...whole, items: 0 },
    { ...whole, members: 'required' },
    { ...whole, members: 'required', items: 0, nulls: true },
  ];
}

export function describeShape({ members, items, nulls, turn }: Shape): string {
  return `${members} members, ${items} items a list${nulls ? ', null where allowed' : ''}, turn ${turn}`;
}
