import type { Dispatcher } from 'undici';

type Handler = Dispatcher.DispatchHandler;

/**
 * Adapts an undici handler of the old form, which the fetch of Node 20 and 22 uses, to the form of undici 7. `compose()` of undici does so
 * too, but joins header lines of one name with a comma, which breaks `Set-Cookie`.
 */
export function adaptHandler(handler: Handler): Handler {
  if (handler.onRequestStart !== undefined) return handler;
  return {
    onRequestStart: (controller, _context) => handler.onConnect?.((reason) => controller.abort(reason ?? new Error('aborted'))),
    onRequestUpgrade: ({ rawHeaders }, status, headers, socket) => handler.onUpgrade?.(status, linesOf(rawHeaders, headers), socket),
    onResponseStart: (controller, status, headers, message = '') => {
      const goesOn = handler.onHeaders?.(status, linesOf(controller.rawHeaders, headers), () => controller.resume(), message);
      if (goesOn === false) controller.pause();
    },
    onResponseData: (controller, chunk) => {
      if (handler.onData?.(chunk) === false) controller.pause();
    },
    onResponseEnd: ({ rawTrailers }) => handler.onComplete?.(Array.isArray(rawTrailers) ? (rawTrailers as string[]) : []),
    onResponseError: (_controller, error) => handler.onError?.(error),
  };
}

/** Returns header names and values alternately, as received when known. */
function linesOf(
  raw: Dispatcher.DispatchController['rawHeaders'],
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Buffer[] {
  if (Array.isArray(raw)) return raw as Buffer[];
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((line) => [Buffer.from(name, 'latin1'), Buffer.from(line, 'latin1')]),
  );
}
