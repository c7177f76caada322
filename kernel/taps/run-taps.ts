import type { MaybePromise } from '../time/maybe-promise.ts';
import { type GuardedTap, isThenable } from './guarded-tap.ts';

/** Passes each tap the previous tap's value; undefined keeps it. Synchronous unless a tap returns a promise. */
export function waterfall<T>(taps: readonly GuardedTap[], first: T, context: unknown): MaybePromise<T> {
  return run('waterfall', taps, first, context) as MaybePromise<T>;
}

/** Returns the first value of a tap; undefined without one. Synchronous unless a tap returns a promise. */
export function bail<T>(taps: readonly GuardedTap[], subject: unknown, context: unknown): MaybePromise<T | undefined> {
  return run('bail', taps, subject, context) as MaybePromise<T | undefined>;
}

/** Runs every tap in order. Synchronous unless a tap returns a promise. */
export function series(taps: readonly GuardedTap[], subject: unknown, context: unknown): MaybePromise<void> {
  return run('series', taps, subject, context) as MaybePromise<void>;
}

type Kind = 'waterfall' | 'bail' | 'series';

function run(kind: Kind, taps: readonly GuardedTap[], first: unknown, context: unknown): unknown {
  let subject = first;
  for (let index = 0; index < taps.length; index++) {
    const returned = (taps[index] as GuardedTap).start(subject, context);
    if (returned === undefined) continue;
    if (isThenable(returned)) return runOn(kind, taps, subject, context, { index, returned });
    if (kind === 'series') continue;
    if (kind === 'bail') return returned;
    subject = returned;
  }
  return kind === 'waterfall' ? subject : undefined;
}

/** Continues with a tap that returned a promise. One async function for all the following taps is cheaper than a promise for each. */
async function runOn(
  kind: Kind,
  taps: readonly GuardedTap[],
  first: unknown,
  context: unknown,
  waiting: { readonly index: number; readonly returned: unknown },
): Promise<unknown> {
  let { index, returned } = waiting;
  let subject = first;
  for (let tap = taps[index]; tap !== undefined; tap = taps[++index]) {
    if (index > waiting.index) returned = tap.start(subject, context);
    if (isThenable(returned))
      try {
        returned = tap.finish(subject, context, await returned);
      } catch (error) {
        returned = tap.fail(subject, context, error);
      }
    if (returned === undefined || kind === 'series') continue;
    if (kind === 'bail') return returned;
    subject = returned;
  }
  return kind === 'waterfall' ? subject : undefined;
}

/** Runs `next` with the value: synchronously unless it is a promise. Not called `then`: a module that exports `then` cannot be imported. */
export function after<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
