/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Runs `next` with the value: synchronously unless it is a promise. Not called `then`: a module that exports `then` cannot be imported. */
export function after<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
