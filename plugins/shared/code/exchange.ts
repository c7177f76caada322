import { isPlainObject, type JsonValue, ToolkitError, toJsonValue } from '../../../kernel/index.ts';
import { type ErrorJson, restoreThrown, toErrorJson } from './error-json.ts';

/** Runs a function's contact with the outside world: calls `live`, or returns or throws the recorded outcome. */
export type RunExchange = <Answer>(kind: string, request: unknown, live: () => Answer | Promise<Answer>) => Promise<Answer>;

export const runLive: RunExchange = async (_kind, _request, live) => live();

/** Outcome of an exchange, as JSON. Without both members it returned undefined. */
export interface ExchangeOutcome {
  readonly answer?: JsonValue;
  readonly error?: ErrorJson;
}

/** Runs the exchange and returns its outcome. Throws OUTPUT_INVALID when its answer is not JSON. */
export async function outcomeOf(kind: string, live: () => unknown): Promise<ExchangeOutcome> {
  let answer: unknown;
  try {
    answer = await live();
  } catch (thrown) {
    return { error: toErrorJson(thrown) };
  }
  return answer === undefined ? {} : { answer: exchangeJson(kind, 'answer', answer) };
}

/** Returns the answer of an outcome, or throws its error. */
export function answerOf<Answer>({ answer, error }: ExchangeOutcome): Answer {
  if (error !== undefined) throw restoreThrown(error);
  return answer as Answer;
}

/** Converts a value to JSON. Throws OUTPUT_INVALID when it is not JSON. */
export function exchangeJson(kind: string, what: 'request' | 'answer', value: unknown): JsonValue {
  try {
    return toJsonValue(value);
  } catch (error) {
    const [issue] = ToolkitError.is(error) ? (error.details.issues ?? []) : [];
    if (!isPlainObject(issue)) throw error;
    const place = issue.path === '' ? '' : ` at "${issue.path}"`;
    throw new ToolkitError('OUTPUT_INVALID', `The ${what} of context.exchange("${kind}", …)${place} cannot be recorded: ${issue.message}.`);
  }
}
