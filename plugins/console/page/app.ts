import type { VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Overview } from '../wire/state.ts';
import { type Api, ApiError, createApi } from './api.ts';
import { Failure } from './components/failure.ts';
import { Loading } from './components/loading.ts';
import { html } from './html.ts';
import { createLive, type Live } from './live.ts';
import { storeAddress } from './return-address.ts';
import { Shell } from './shell/shell.ts';

interface Session {
  readonly api: Api;
  readonly live: Live;
  readonly overview: Overview;
}

/** Reads who is signed in, opens the stream of events, and shows the pages. */
export function App(): VNode {
  const [session, setSession] = useState<Session>();
  const [error, setError] = useState<ApiError>();
  const onSignedOut = useCallback(() => {
    storeAddress(window);
    location.assign('/console/login');
  }, []);
  const start = useCallback(async () => {
    const options = { fetch: fetch.bind(window), onSignedOut };
    try {
      const overview = await createApi({ ...options, csrf: '' }).get<Overview>('overview');
      const api = createApi({ ...options, csrf: overview.csrf });
      setSession({ api, overview, live: openLive() });
      setError(undefined);
    } catch (failure) {
      // After a 401 the login is being opened.
      if (failure instanceof ApiError && failure.status !== 401) setError(failure);
    }
  }, [onSignedOut]);
  useEffect(() => void start(), [start]);
  if (session !== undefined) return html`<${Shell} ...${session} onSignedOut=${onSignedOut} />`;
  return html`<main class="main start"><h1 class="hidden-text">Console</h1>
    ${error === undefined ? html`<${Loading} />` : html`<${Failure} error=${error} onRetry=${() => void start()} />`}</main>`;
}

function openLive(): Live {
  return createLive({
    open: () => new EventSource('/console/api/events'),
    later: (run, delayMs) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  });
}
