import { parseExact } from './formats/exact-json.ts';
import { shownLines } from './formats/shown-text.ts';

/**
 * A refused or failed request. `status` is 0 when the server could not be reached. Its message may quote foreign text, such as the id of a link: hidden
 * characters are escapes in it.
 */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(shownLines(message));
    this.code = code;
    this.status = status;
  }
}

const readTimeoutMs = 60_000;

/** The console's API. Both reject with ApiError. */
export interface Api {
  /** Reads `path`, which is below `/console/api/`. */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
}

export interface ApiOptions {
  readonly fetch: typeof fetch;
  /** Token of the session, which each POST has. Empty until the overview was read. */
  readonly csrf: string;
  /** Called when the session has ended. */
  readonly onSignedOut: () => void;
}

/** Returns the API of one session. */
export function createApi({ fetch, csrf, onSignedOut }: ApiOptions): Api {
  const send = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetch(`/console/api/${path}`, { credentials: 'same-origin', ...init }).catch(() => undefined);
    if (response === undefined)
      throw new ApiError('OFFLINE', 'The server cannot be reached. Check that it runs; the page tries again by itself.', 0);
    if (response.status === 401) onSignedOut();
    // Own text: the server of this page wrote it.
    const body = parsed(await response.text());
    if (response.ok) return body as T;
    const { code, message } = (body as { error?: { code?: string; message?: string } } | undefined)?.error ?? {};
    throw new ApiError(
      code ?? `HTTP_${response.status}`,
      message ?? `The server answered with status ${response.status}.`,
      response.status,
    );
  };
  return {
    // Readings wait for one another: one on a dead connection must end.
    get: (path) => send(path, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(readTimeoutMs) }),
    post: (path, body) =>
      send(path, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', 'x-toolkit-csrf': csrf },
        body: JSON.stringify(body),
      }),
  };
}

/** Returns undefined for what is no JSON, such as the page of a proxy. */
function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
