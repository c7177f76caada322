import type { Dispatcher } from 'undici';

/**
 * Tells the one who waits for an answer that there will be none, in the old form of handlers, which the fetch of Node 20 has, or in the
 * new one. Returns what a dispatcher returns that is not busy.
 */
export function refuseRequest(handler: Dispatcher.DispatchHandler, error: Error): true {
  if (handler.onError !== undefined) handler.onError(error);
  else handler.onResponseError?.(null as never, error);
  return true;
}
