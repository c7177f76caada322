import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import { shellWord } from '../../shared/text/shell-word.ts';
import { type AccountOwner, providerOf } from './account-owner.ts';

/** Returns the command that logs an owner in to a server. */
export function loginCommand(server: string, { tenant, caller }: AccountOwner, scopes: readonly string[] = []): string {
  const words = [
    ...(scopes.length === 0 ? [] : ['--scopes', scopes.join(',')]),
    ...(caller === 'default' ? [] : ['--as', caller]),
    ...(tenant === caller ? [] : ['--tenant', tenant]),
  ];
  return ['toolkit', 'auth', 'login', providerOf(server), ...words].map((word) => shellWord(word)).join(' ');
}

/** Returns an error of the accounts as one of this server: with its code and details, and a message that names the server. */
export function loginError(error: ToolkitError, server: string): ToolkitError {
  const needs = error.code === 'AUTH_REQUIRED' && !error.retryable ? ' needs a login' : '';
  const message = `The MCP server "${server}"${needs}: ${error.message}`;
  return new ToolkitError(error.code, message, { ...error.details, server }, { cause: error });
}

/** Returns AUTH_REQUIRED for the newest token of an account, which the server refuses. */
export function refusedError(server: string, owner: AccountOwner): ToolkitError {
  const command = loginCommand(server, owner);
  const message = `The MCP server "${server}" refuses the token of its account. To log in again, type: ${command}`;
  return new ToolkitError('AUTH_REQUIRED', message, { server, provider: providerOf(server), command });
}

/** Returns AUTH_REQUIRED for a client that was registered automatically, and that its authorization server no longer knows. */
export function forgottenError(server: string, owner: AccountOwner, cause: ToolkitError): ToolkitError {
  const command = loginCommand(server, owner);
  const message = `The authorization server of the MCP server "${server}" no longer knows this program. A new login registers it anew: type: ${command}`;
  return new ToolkitError('AUTH_REQUIRED', message, { server, provider: providerOf(server), command }, { cause });
}

/** Returns AUTH_REQUIRED for scopes that a token lacks. `way`: the error of the accounts for these scopes, with a link where there is one. */
export function scopesError(server: string, owner: AccountOwner, scopes: readonly string[], way: ToolkitError | undefined): ToolkitError {
  const { url, account } = way?.details ?? {};
  const command = loginCommand(server, owner, scopes);
  const list = excerpt(scopes.join(' '), 200);
  const by = typeof url === 'string' ? `open ${url} in a browser, or type: ${command}` : `type: ${command}`;
  return new ToolkitError('AUTH_REQUIRED', `The MCP server "${server}" needs more permissions for this: ${list}. To give them, ${by}`, {
    ...{ server, provider: providerOf(server), scopes: [...scopes], command },
    ...(typeof url === 'string' ? { url } : {}),
    ...(typeof account === 'string' ? { account } : {}),
  });
}
