import { errorCodes } from '../../../shared/json-rpc/message.ts';
import type { HttpRefusal } from './reply.ts';

/** Response to a request that failed here. */
export const serverFailed: HttpRefusal = { status: 500, message: 'The server failed.', code: errorCodes.internal };

/** Refusal of a request that needs a session, such as GET, in a protocol version without sessions. */
export const withoutSession: HttpRefusal = {
  status: 405,
  message: 'This version of the protocol has no sessions: send requests with POST, and listen with "subscriptions/listen".',
  headers: { allow: 'POST, OPTIONS' },
};

/** Refusal while the shared store cannot be reached. */
export const unavailable: HttpRefusal = {
  status: 503,
  message: 'The store of the server cannot be reached. Try again later.',
  headers: { 'retry-after': '5' },
};

/** Refusal of a request that needs a session, at a server that opens none. */
export const noSessions: HttpRefusal = {
  status: 405,
  message: 'This server keeps no sessions ("stateless"): send requests with POST.',
  headers: { allow: 'POST, OPTIONS' },
};

/** Refusal of a caller at a page for operators. */
export const operatorOnly: HttpRefusal = {
  status: 403,
  reason: 'scope',
  message: 'This page is for operators: send the token of one. A single token is that of the operator; of several, those with "operator".',
};
