import { createHash } from 'node:crypto';
import { type AccessRequest, sentence, ToolkitError } from '../../../kernel/index.ts';
import { unlessAborted } from '../../shared/remote-secrets/unless-aborted.ts';
import type { GrantOwner } from '../grants/grant.ts';
import type { LoginEnd } from './local-login.ts';
import type { LocalLogins, SharedLogin } from './local-logins.ts';

/**
 * Asks the person of a client on this machine, such as one over stdio, to log in at the provider's own address. Resolves to true when the account is
 * connected; to false where the client opens no addresses, for callers that need not be on this machine, and where there can be no such login.
 * Throws AUTH_REQUIRED with the reason when the person declined, or the login failed. Its listener is closed when the call has ended; where the call
 * ends with the question and comes again with the answer, it stays open for it, for ten minutes at most.
 */
export async function askHere(request: AccessRequest, owner: GrantOwner, scopes: readonly string[], logins: LocalLogins): Promise<boolean> {
  if (request.client.elicitUrl === undefined || owner.caller !== 'default') return false;
  const isConnected = await logins.use(owner, scopes, {
    work: (login) => logInBy(request, owner, login),
    keepsOpen: (error) => ToolkitError.is(error) && error.details['isAsked'] === true && !request.signal.aborted,
  });
  return isConnected === true;
}

async function logInBy(request: AccessRequest, { provider }: GrantOwner, { id, url, ended }: SharedLogin): Promise<true> {
  const { client, signal, tool } = request;
  const digest = createHash('sha256').update(id).digest('hex');
  const message = `The tool ${tool.name} needs an account at ${provider}. Open the page to log in there, and to connect the account to this program.`;
  const question = { name: `connect_${provider}`, message, url, elicitationId: digest.slice(0, 32), holdsFor: digest };
  const answer = await client.elicitUrl?.(question, signal);
  if (answer?.action !== 'accept')
    throw authRequired(request, `The person did not open the page that connects an account at "${provider}".`);
  const end = await endWithin(request, ended);
  answer.complete();
  if (end.isConnected) return true;
  throw authRequired(request, `The login at "${provider}" failed: ${sentence(end.reason)} Call the tool again for a new one.`);
}

/** Waits for the end of a login. Rejects when the call ends before. */
async function endWithin(request: AccessRequest, ended: Promise<LoginEnd>): Promise<LoginEnd> {
  try {
    return await unlessAborted(ended, request.signal);
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'TIMEOUT') throw error;
    throw authRequired(request, 'The account was not connected within the time limit of the call. Call the tool again.');
  }
}

/** Returns the error of a call with a reason before its way to log in. */
function authRequired({ error }: AccessRequest, reason: string): ToolkitError {
  return new ToolkitError('AUTH_REQUIRED', `${reason} ${error.message}`, { ...error.details });
}
