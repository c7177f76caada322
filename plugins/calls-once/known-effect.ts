import type { FindEffect } from '../../kernel/index.ts';
import { restoreError } from '../shared/calls/stored-error.ts';
import type { Intents } from './intent.ts';
import { intentIdsOf } from './intent-ids.ts';
import type { Outcomes } from './outcomes.ts';

/** Returns a function that finds out what is known about the effect of a call, after the outcomes that wait in this process were written. */
export function effectFinder(intents: Intents, outcomes: Outcomes): FindEffect {
  return async (call) => {
    const ids = intentIdsOf(call);
    await Promise.all([outcomes.flush(ids.id), outcomes.flush(ids.earlierId)]);
    const { found } = await intents.find(ids);
    if (found === undefined) return { state: 'none' };
    const { intent } = found;
    if (intent.state !== 'done' || intent.attempt.tool !== call.tool) return { state: 'open' };
    if ('error' in intent) return { state: 'done', error: restoreError(intent.error, call.tool) };
    return { state: 'done', result: intent.result };
  };
}
