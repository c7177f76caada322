import type { ConsoleEvent } from '../../wire/events.ts';
import { useConsole } from '../console-context.ts';
import { type Reading, useReading } from './use-reading.ts';

/** Data of the server that stays on the screen while it is read again. */
export type Data<T> = Omit<Reading<T>, 'valueKey'>;

/** Reads `path` now, and again after each of the events. An undefined path reads nothing. */
export function useData<T>(path: string | undefined, ...events: readonly ConsoleEvent[]): Data<T> {
  const { api } = useConsole();
  const { value, valueKey, error, reload } = useReading<T>(path, (key) => api.get(key), events);
  return { value: valueKey === path ? value : undefined, error, reload };
}
