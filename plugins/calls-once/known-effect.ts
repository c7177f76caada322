import type { FindEffect, Tool } from '../../kernel/index.ts';
import { restoreError } from '../shared/calls/stored-error.ts';
import { isRepeatable } from './effect.ts';
import type { Intents } from './intent.ts';
import { intentIdsOf } from './intent-ids.ts';
import type { Outcomes } from './outcomes.ts';

export interface EffectFinderParts {
  readonly intents: Intents;
  readonly outcomes: Outcomes;
  /** Returns true for a tool with "verify". */
  readonly isVerifiable: (tool: Tool) => boolean;
}

/** Returns a function that finds out what is known about the effect of a call, after the outcomes that wait in this process were written. */
export function effectFinder({ intents, outcomes, isVerifiable }: EffectFinderParts): FindEffect {
  return async (call, tool) => {
    const ids = intentIdsOf(call);
    await Promise.all([outcomes.flush(ids.id), outcomes.flush(ids.earlierId)]);
    const { found } = await intents.find(ids);
    if (found === undefined) return { state: 'none' };
    const { intent } = found;
    if (intent.attempt.tool !== call.tool) return { state: 'open' };
    if (intent.state !== 'done')
      return { state: 'open', ...(tool !== undefined && (isRepeatable(tool) || isVerifiable(tool)) ? { isRetryable: true } : {}) };
    if ('error' in intent) return { state: 'done', error: restoreError(intent.error, call.tool) };
    return { state: 'done', result: intent.result };
  };
}
