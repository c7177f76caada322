import { type JsonObject, type Tool, ToolkitError } from '../../kernel/index.ts';
import type { FullQueue, RateLimit, WaitLimits } from './limit.ts';

/** One `rate_limit` and its owner in words, such as `the tool "shop_get"`. */
export interface OwnedLimit {
  readonly owner: string;
  readonly declared: RateLimit;
}

export interface LimitedCall {
  readonly tool: Tool;
  readonly tenant: string;
}

/** One call on its way through its limits. */
export interface EnteringCall {
  /** Resolves when the call may run; returns undefined when it may run at once. Rejects when `signal` aborts. */
  enter(signal: AbortSignal): Promise<void> | undefined;
  /** Gives back everything that the call still holds. A second call does nothing. */
  end(): void;
}

/** The limits of all tools and providers, of this process alone or of all processes that share a store. */
export interface Limits {
  /** Throws RATE_LIMITED where too many calls wait already. Nothing may be awaited between this and `enter`. */
  admit(call: LimitedCall, limits: readonly OwnedLimit[]): EnteringCall;
  /** Returns the permits or slots in use, by owner. */
  status(): JsonObject;
  /** Resolves when everything that these calls hold is free for others. */
  close(calls: Iterable<EnteringCall>): Promise<void>;
}

interface LimitState {
  readonly owner: string;
  /** Time until the waiting calls have started, in milliseconds, if only the rate delays them. */
  readonly waitMs: number;
  fullQueueFor(tenant: string, waitLimits: WaitLimits): FullQueue | undefined;
}

/** Throws RATE_LIMITED where one of the queues is full. */
export function refuseFull({ tool, tenant }: LimitedCall, limits: readonly LimitState[], waitLimits: WaitLimits): void {
  for (const limit of limits) {
    const full = limit.fullQueueFor(tenant, waitLimits);
    if (full !== undefined) throw tooManyError(tool, limit, full);
  }
}

export function tooManyError(
  tool: Tool,
  { owner, waitMs }: Pick<LimitState, 'owner' | 'waitMs'>,
  { waiting, scope }: FullQueue,
): ToolkitError {
  const scopeText = scope === 'tenant' ? ' of this caller' : '';
  const queueText = waiting === 0 ? 'and none may wait' : `and ${waiting} calls${scopeText} wait already`;
  return new ToolkitError(
    'RATE_LIMITED',
    `"${tool.name}" was not run: the rate limit of ${owner} is reached, ${queueText}. Call again later, or less often.`,
    { tool: tool.name, retryAfterMs: waitMs },
  );
}

/** Limits by their owner and definition text, so that a reload does not forget recent starts. */
export class LimitsByDefinition<Limit> {
  readonly #limits = new Map<string, Limit>();

  of(owned: OwnedLimit, make: (key: string) => Limit): Limit {
    const key = `${owned.owner} ${JSON.stringify(owned.declared)}`;
    const limit = this.#limits.get(key) ?? make(key);
    this.#limits.set(key, limit);
    return limit;
  }

  values(): IterableIterator<Limit> {
    return this.#limits.values();
  }
}

export function statusOf(limits: Iterable<{ readonly owner: string; readonly status: JsonObject | undefined }>): JsonObject {
  return Object.fromEntries([...limits].flatMap(({ owner, status }) => (status === undefined ? [] : [[owner, status]])));
}
