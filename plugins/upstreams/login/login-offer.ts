import { type OutboundFetch, ToolkitError } from '../../../kernel/index.ts';
import { challengeOf } from '../../shared/http/challenge.ts';
import { operator } from './account-owner.ts';
import { loginCommand } from './login-errors.ts';

/** Wraps a fetch: calls `onOffer` when a server refuses a request and says how people log in (RFC 9728, 5.1). */
export function watchOffers(fetch: OutboundFetch, onOffer: () => void): OutboundFetch {
  return async (...given) => {
    const response = await fetch(...given);
    if (response.status === 401 && challengeOf(response)?.metadataUrl !== undefined) onOffer();
    return response;
  };
}

/** Returns the error of a server that refuses the configured credentials, or none, and has a login. */
export function loginOffered(server: string, cause: unknown): ToolkitError {
  const message = `The MCP server "${server}" wants a login: write "auth: oauth" to its settings in place of a token, then type: ${loginCommand(server, operator)}`;
  return new ToolkitError('AUTH_FAILED', message, { server, status: 401, offersLogin: true }, { cause });
}
