import { ToolkitError } from '../../../../../kernel/index.ts';
import { answerOf, type ExchangeOutcome, exchangeJson, outcomeOf, type RunExchange } from '../../../../shared/code/exchange.ts';
import { builtInKinds } from '../cassette/cassette.ts';
import type { Session } from '../cassette/session.ts';

/**
 * Returns the implementation of `context.exchange`. It records `{answer}` or `{error}`, and neither for undefined. In a live run a function
 * gets the same values as in a replay.
 */
export function exchangesOf(session: Session): RunExchange {
  return async (kind, request, live) => {
    if (kind === '' || builtInKinds.includes(kind))
      throw new ToolkitError(
        'EXECUTION_FAILED',
        `context.exchange cannot have the kind "${kind}": expected a word of your own, other than ${builtInKinds.join(', ')}.`,
      );
    const outcome = await session.exchange<ExchangeOutcome>({
      kind,
      request: exchangeJson(kind, 'request', request),
      send: () => outcomeOf(kind, live),
      toRecorded: async (answer) => ({ answer, response: answer }),
      fromRecorded: (response) => session.scratch.fromCassette(response) as ExchangeOutcome,
    });
    return answerOf(outcome);
  };
}
