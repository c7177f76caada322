import { type GuardedTap, isThenable } from './guarded-tap.ts';

/** A value that is there, or is waited for. */
export type Maybe<T> = T | Promise<T>;

/** Goes on with a value: at once, where it is there. Not called `then`, because a module with an export of that name cannot be imported. */
export function after<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Each tap gets what the one before gave; undefined keeps it. Waits only where a tap gives a promise. */
export function waterfall<T>(taps: readonly GuardedTap[], first: T, context: unknown): Maybe<T> {
  return run('waterfall', taps, first, context) as Maybe<T>;
}

/** The first answer that a tap gives; undefined where none does. Waits only where a tap gives a promise. */
export function bail<T>(taps: readonly GuardedTap[], subject: unknown, context: unknown): Maybe<T | undefined> {
  return run('bail', taps, subject, context) as Maybe<T | undefined>;
}

/** Every tap, one after another. Waits only where a tap gives a promise. */
export function series(taps: readonly GuardedTap[], subject: unknown, context: unknown): Maybe<void> {
  return run('series', taps, subject, context) as Maybe<void>;
}

type Kind = 'waterfall' | 'bail' | 'series';

function run(kind: Kind, taps: readonly GuardedTap[], first: unknown, context: unknown): unknown {
  let subject = first;
  for (let place = 0; place < taps.length; place++) {
    const given = (taps[place] as GuardedTap).start(subject, context);
    if (given === undefined) continue;
    if (isThenable(given)) return runOn(kind, taps, subject, context, { place, given });
    if (kind === 'series') continue;
    if (kind === 'bail') return given;
    subject = given;
  }
  return kind === 'waterfall' ? subject : undefined;
}

/** From a tap on that gave a promise. One function for all that follow: a promise for what is behind each of them would cost more than they do. */
async function runOn(
  kind: Kind,
  taps: readonly GuardedTap[],
  first: unknown,
  context: unknown,
  waiting: { readonly place: number; readonly given: unknown },
): Promise<unknown> {
  let { place, given } = waiting;
  let subject = first;
  for (let tap = taps[place]; tap !== undefined; tap = taps[++place]) {
    if (place > waiting.place) given = tap.start(subject, context);
    if (isThenable(given))
      try {
        given = tap.finish(subject, context, await given);
      } catch (error) {
        given = tap.fail(subject, context, error);
      }
    if (given === undefined || kind === 'series') continue;
    if (kind === 'bail') return given;
    subject = given;
  }
  return kind === 'waterfall' ? subject : undefined;
}
