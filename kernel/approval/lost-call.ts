import { ToolkitError } from '../errors.ts';

/**
 * Returns true when an aborted call ended against the will of its caller: its connection broke, its process ends, another process has taken it over,
 * or its time is over. A question about it stays open then; a caller that cancels takes the question back. `reason`: that of the call's signal.
 */
export function isLostCall(reason: unknown): boolean {
  return ToolkitError.is(reason) && (reason.code !== 'ABORTED' || reason.details.isLost === true);
}
