import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ConsoleEvent } from '../../wire/events.ts';
import type { ApiError } from '../api.ts';
import { useConsole } from '../console-context.ts';
import { Rereading } from '../rereading.ts';

/** The last value that was read, which stays on the screen while it is read again. */
export interface Reading<T> {
  /** Absent until the first answer. */
  readonly value: T | undefined;
  /** Key of the value: an earlier one until the first answer for the present key. */
  readonly valueKey: string | undefined;
  /** The failure of the last reading of the present key. */
  readonly error: ApiError | undefined;
  /** Reads again; resolves when the value is there. */
  readonly reload: () => Promise<void>;
}

interface State<T> {
  readonly value?: T;
  readonly valueKey?: string;
  readonly error?: ApiError;
  readonly errorKey?: string;
}

/** Reads now, when the key changes, and after each of the events. An undefined key reads nothing. */
export function useReading<T>(key: string | undefined, read: (key: string) => Promise<T>, events: readonly ConsoleEvent[]): Reading<T> {
  const { live } = useConsole();
  const [state, setState] = useState<State<T>>({});
  const latestRead = useRef(read);
  latestRead.current = read;
  const latest = useRef<Rereading>(undefined);
  const reading: Rereading = useMemo(
    () =>
      new Rereading(async () => {
        if (key === undefined) return;
        const show = (next: (before: State<T>) => State<T>): void => {
          // A reading of an earlier key may end later.
          if (latest.current === reading) setState(next);
        };
        try {
          const value = await latestRead.current(key);
          show(() => ({ value, valueKey: key }));
        } catch (error) {
          show((before) => ({ ...before, error: error as ApiError, errorKey: key }));
        }
      }),
    [key],
  );
  latest.current = reading;
  const reload = useCallback(() => reading.request(), [reading]);
  useEffect(() => {
    void reload();
    const ends = events.map((event) => live.on(event, () => void reload()));
    return () => {
      for (const end of ends) end();
    };
  }, [reload, live, events.join()]);
  const { value, valueKey, error, errorKey } = state;
  return { value, valueKey, error: errorKey === key ? error : undefined, reload };
}
