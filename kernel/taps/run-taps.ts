import type { GuardedTap } from './guarded-tap.ts';

/** A value that is there, or is waited for. */
export type Maybe<T> = T | Promise<T>;

/** Goes on with a value: at once, where it is there. Not called `then`, because a module with an export of that name cannot be imported. */
export function after<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Each tap gets what the one before gave; undefined keeps it. Waits only where a tap gives a promise. */
export function waterfall<T>(taps: readonly GuardedTap[], first: T, context: unknown, from = 0): Maybe<T> {
  let value = first;
  for (let place = from; place < taps.length; place++) {
    const given = (taps[place] as GuardedTap)(value, context) as Maybe<T | undefined>;
    if (given instanceof Promise) {
      const before = value;
      return given.then((next) => waterfall(taps, next ?? before, context, place + 1));
    }
    value = given ?? value;
  }
  return value;
}

/** The first answer that a tap gives; undefined where none does. Waits only where a tap gives a promise. */
export function bail<T>(taps: readonly GuardedTap[], subject: unknown, context: unknown, from = 0): Maybe<T | undefined> {
  for (let place = from; place < taps.length; place++) {
    const given = (taps[place] as GuardedTap)(subject, context) as Maybe<T | undefined>;
    if (given instanceof Promise) return given.then((answer) => answer ?? bail<T>(taps, subject, context, place + 1));
    if (given !== undefined) return given;
  }
  return undefined;
}

/** Every tap, one after another. Waits only where a tap gives a promise. */
export function series(taps: readonly GuardedTap[], subject: unknown, context: unknown, from = 0): Maybe<void> {
  for (let place = from; place < taps.length; place++) {
    const given = (taps[place] as GuardedTap)(subject, context);
    if (given instanceof Promise) return given.then(() => series(taps, subject, context, place + 1));
  }
}
