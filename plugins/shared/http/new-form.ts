import type { Dispatcher } from 'undici';

type Handler = Dispatcher.DispatchHandler;

/**
 * A handler in the new form of undici 7, made of one in the old form, which the fetch of Node 20 and 22 has. `compose()` of undici does the same, and joins
 * header lines of one name with a comma, so that two `Set-Cookie` are none.
 */
export function inNewForm(handler: Handler): Handler {
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

/** Names and values in turn, as they came over the wire where that is known. */
function linesOf(
  raw: Dispatcher.DispatchController['rawHeaders'],
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Buffer[] {
  if (Array.isArray(raw)) return raw as Buffer[];
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((line) => [Buffer.from(name, 'latin1'), Buffer.from(line, 'latin1')]),
  );
}
