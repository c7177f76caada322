import { type GuardedTap, isThenable } from './guarded-tap.ts';

/** A value that is there, or is waited for. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value: at once, where it is there. Not called `then`, because a module with an export of that name cannot be imported. */
export function after<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Each tap gets what the one before gave; undefined keeps it. Waits only where a tap gives a promise. */
export function waterfall<T>(taps: readonly GuardedTap[], first: T, context: unknown): MaybePromise<T> {
  return run('waterfall', taps, first, context) as MaybePromise<T>;
}

/** The first answer that a tap gives; undefined where none does. Waits only where a tap gives a promise. */
export function bail<T>(taps: readonly GuardedTap[], subject: unknown, context: unknown): MaybePromise<T | undefined> {
  return run('bail', taps, subject, context) as MaybePromise<T | undefined>;
}

/** Every tap, one after another. Waits only where a tap gives a promise. */
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

/** From a tap on that gave a promise. One function for all that follow: a promise for what is behind each of them would cost more than they do. */
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
