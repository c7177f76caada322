import { useEffect, useState } from 'preact/hooks';
import type { CallsPage } from '../../wire/calls.ts';
import type { ApiError } from '../api.ts';
import { useConsole } from '../console-context.ts';
import { type Data, useData } from '../hooks/use-data.ts';
import { type ReadCalls, withNewest, withOlder } from './join-pages.ts';

/** The calls of a list, which grows to older ones at demand. */
export interface CallList {
  readonly newest: Data<CallsPage>;
  readonly read: ReadCalls | undefined;
  readonly isLoading: boolean;
  readonly readOlder: () => void;
}

/** Reads the calls of a tool, or of all with an empty name, and again when one begins or ends. */
export function useCalls(tool: string): CallList {
  const { api, notify } = useConsole();
  const filter = tool === '' ? '' : `tool=${encodeURIComponent(tool)}`;
  const newest = useData<CallsPage>(filter === '' ? 'calls' : `calls?${filter}`, 'calls');
  const [state, setState] = useState<{ readonly tool: string; readonly read?: ReadCalls }>({ tool });
  const [isLoading, setIsLoading] = useState(false);
  const page = newest.value;
  useEffect(() => {
    if (page !== undefined) setState((before) => ({ tool, read: withNewest(before.tool === tool ? before.read : undefined, page) }));
  }, [page, tool]);
  const read = state.tool === tool ? state.read : undefined;
  const readOlder = (): void => {
    if (read?.next === undefined) return;
    setIsLoading(true);
    api
      .get<CallsPage>(`calls?${filter}${filter === '' ? '' : '&'}after=${encodeURIComponent(read.next)}`)
      .then((older) => setState((before) => (before.tool === tool && before.read ? { tool, read: withOlder(before.read, older) } : before)))
      .catch((error: ApiError) => notify(error.message, 'danger'))
      .finally(() => setIsLoading(false));
  };
  return { newest, read, isLoading, readOlder };
}
