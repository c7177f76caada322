import type { Dispatcher } from 'undici';

/**
 * Fails a request with an error. Calls the old form of handlers, which fetch of Node 20 has, or the new form. Returns true, as
 * `dispatch` does when it can take more requests.
 */
export function refuseRequest(handler: Dispatcher.DispatchHandler, error: Error): true {
  if (handler.onError !== undefined) handler.onError(error);
  else handler.onResponseError?.(null as never, error);
  return true;
}
