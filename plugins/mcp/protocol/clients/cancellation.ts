import type { Message, Notification, Parameters, RequestId } from '../../../shared/json-rpc/message.ts';

const method = 'notifications/cancelled';

/** Returns the notification that cancels a request (MCP, Cancellation). */
export function cancellation(requestId: RequestId, reason: unknown): { readonly method: string; readonly params: Parameters } {
  return { method, params: { requestId, reason: String(reason) } };
}

/** Returns the id of the request that a message cancels; undefined for another message. */
export function cancelledBy(message: Message): RequestId | undefined {
  return 'method' in message && message.method === method ? ((message as Notification).params?.['requestId'] as RequestId) : undefined;
}
