import { type CommandInvocation, ToolkitError } from '../../../kernel/index.ts';
import type { DeviceAuthorization, OAuthClient, TokenSet } from '../../shared/oauth/types.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { accountLabel } from '../account-label.ts';
import { connectedText } from '../connected-text.ts';
import type { Grant } from '../grants/grant.ts';
import { deviceLogin } from '../login/device-login.ts';
import { loopbackLogin } from '../login/loopback-login.ts';
import { openBrowser } from '../login/open-browser.ts';
import { readPasted } from '../login/pasted-redirect.ts';

/** Time for a person to log in, in milliseconds. */
const loginLimitMs = 10 * 60_000;

export interface Login {
  readonly client: OAuthClient;
  readonly scopes: readonly string[];
  readonly redirectUri?: string;
  readonly store: (tokens: TokenSet) => Promise<Grant>;
}

/** Logs in the way that the provider and the flags say, stores the tokens, and returns the grant. */
export async function logIn(invocation: CommandInvocation, login: Login): Promise<Grant> {
  const { client, scopes, store } = login;
  const limit = AbortSignal.timeout(loginLimitMs);
  const signal = AbortSignal.any([invocation.interrupted(), limit]);
  try {
    switch (wayOf(client, invocation.flags['device'] === true)) {
      case 'client_credentials':
        return await store(await client.clientCredentials(scopes, signal));
      case 'device':
        return await store(await deviceLogin(client, { scopes, show: (device) => showDevice(invocation, device), signal }));
      case 'code':
        return await byCode(invocation, login, signal);
    }
  } catch (error) {
    if (limit.aborted)
      throw new ToolkitError('TIMEOUT', 'Nothing was connected: nobody finished the login within ten minutes.', {}, { cause: error });
    if (signal.aborted) throw new ToolkitError('ABORTED', 'Nothing was connected: the login was cancelled.', {}, { cause: error });
    throw error;
  }
}

function wayOf({ settings }: OAuthClient, wantsDevice: boolean): 'code' | 'device' | 'client_credentials' {
  const { grant, deviceUrl, provider } = settings;
  if (!wantsDevice) return grant;
  if (deviceUrl !== undefined) return 'device';
  throw new ToolkitError('INVALID_PARAMETERS', `"${provider}" has no login by device ("device_url"). Leave out --device.`, { provider });
}

async function byCode(invocation: CommandInvocation, { client, scopes, store, redirectUri }: Login, signal: AbortSignal): Promise<Grant> {
  const { terminal, flags, note } = invocation;
  let grant: Grant | undefined;
  // A terminal with a browser needs nothing pasted; without one, the browser may run on another machine.
  let isOpened = false;
  await loopbackLogin(client, {
    scopes,
    ...(redirectUri === undefined ? {} : { redirectUri }),
    show: async (url) => {
      note(`To log in to ${client.settings.provider}, open this address in a browser:\n\n${terminalText(url)}\n\n`);
      isOpened = terminal.isTerminal && flags['browser'] !== false && (await openBrowser(url));
    },
    store: async (tokens) => {
      grant = await store(tokens);
      return `${connectedText(accountLabel(grant), grant.owner)} You may close this window.`;
    },
    isListenerOptional: flags['browser'] === false,
    readPasted: async (address, hasListener, ended) => (isOpened && hasListener ? undefined : readPasted(terminal, address, ended)),
    signal,
  });
  return grant as unknown as Grant;
}

function showDevice({ note }: CommandInvocation, { verificationUri, verificationUriComplete, userCode }: DeviceAuthorization): void {
  const complete = verificationUriComplete === undefined ? '' : `, or ${terminalText(verificationUriComplete)}`;
  note(`Open ${terminalText(verificationUri)} on any device and type the code ${terminalText(userCode)}${complete}\n`);
}
