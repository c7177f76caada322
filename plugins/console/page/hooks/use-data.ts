import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleEvent } from '../../wire/events.ts';
import type { ApiError } from '../api.ts';
import { useConsole } from '../console-context.ts';

/** Data of the server that stays on the screen while it is read again. */
export interface Data<T> {
  /** Absent until the first answer. */
  readonly value: T | undefined;
  /** The failure of the last reading. The value before it stays. */
  readonly error: ApiError | undefined;
  /** Reads again; resolves when the value is there. */
  readonly reload: () => Promise<void>;
}

/** Reads `path` now, and again after each of the events. An undefined path reads nothing. */
export function useData<T>(path: string | undefined, ...events: readonly ConsoleEvent[]): Data<T> {
  const { api, live } = useConsole();
  const [state, setState] = useState<{ path: string | undefined; value?: T; error?: ApiError }>({ path });
  const latest = useRef({ path, round: 0 });
  latest.current.path = path;
  const reload = useCallback(async (): Promise<void> => {
    if (path === undefined) return;
    const round = ++latest.current.round;
    // Only the newest reading counts: an older one may end later.
    const isCurrent = (): boolean => latest.current.path === path && latest.current.round === round;
    try {
      const value = await api.get<T>(path);
      if (isCurrent()) setState({ path, value });
    } catch (error) {
      if (isCurrent()) setState((before) => ({ ...(before.path === path ? before : { path }), error: error as ApiError }));
    }
  }, [path, api]);
  useEffect(() => {
    void reload();
    const ends = events.map((event) => live.on(event, () => void reload()));
    return () => {
      for (const end of ends) end();
    };
  }, [reload, live, events.join()]);
  const isOfPath = state.path === path;
  return { value: isOfPath ? state.value : undefined, error: isOfPath ? state.error : undefined, reload };
}
