import { isDeepStrictEqual } from 'node:util';
import { type AccessRequest, ToolkitError } from '../../../kernel/index.ts';
import type { GrantOwner } from '../grants/grant.ts';
import type { CodeConfirmation } from './code-confirmation.ts';
import { confirmCommand } from './confirmation-code.ts';
import type { ConnectAccounts } from './connect-accounts.ts';
import type { ConnectLinks, OpenLink } from './connect-links.ts';
import { linkUrl } from './connect-paths.ts';
import { waitForConnect } from './connect-wait.ts';
import type { PendingConnect, ReadConnect } from './pending-connect.ts';

export interface ConnectAskOptions {
  readonly links: ConnectLinks;
  readonly codes: CodeConfirmation;
  readonly accounts: Pick<ConnectAccounts, 'ownerOf' | 'scopesFor' | 'hasLinks'>;
  /** Asks without a link: see `askHere`. @default the error goes to the caller */
  readonly askHere?: ((request: AccessRequest, owner: GrantOwner, scopes: readonly string[]) => Promise<boolean>) | undefined;
  /** Opens the link of an owner; undefined while no HTTP server runs in this process. */
  open(owner: GrantOwner, scopes: readonly string[]): Promise<OpenLink | undefined>;
}

/** Asks the persons of callers to open links and to type codes. */
export class ConnectAsk {
  readonly #options: ConnectAskOptions;

  constructor(options: ConnectAskOptions) {
    this.#options = options;
  }

  /**
   * Asks the caller's person to open a link, waits until the account is connected, and asks for the code where one is needed. Resolves to true
   * when a grant was written; to false where there can be no link, and no login on this machine. Throws AUTH_REQUIRED with another text: with the link where the client cannot
   * be asked; when the person declined, the login failed, or a code is missing or wrong.
   */
  async ask(request: AccessRequest): Promise<boolean> {
    const { caller, tenant, error } = request;
    const { provider, account, scopes } = error.details;
    // Another process is about to give an account that is connected.
    if (typeof provider !== 'string' || error.retryable) return false;
    if (!(await this.#options.accounts.hasLinks(provider))) return false;
    const named = typeof account === 'string' ? { account } : {};
    const owner = await this.#options.accounts.ownerOf({ caller, tenant, provider, ...named });
    const waiting = (await this.#options.links.waitingForCode(owner)).find(({ connect }) => isDeepStrictEqual(connect.owner, owner));
    if (waiting !== undefined) return this.#askCode(request, waiting);
    const lacked = Array.isArray(scopes) ? (scopes as readonly string[]) : undefined;
    const asked = await this.#options.accounts.scopesFor(owner, request.tool, lacked);
    const link = await this.#options.open(owner, asked);
    if (link === undefined) return (await this.#options.askHere?.(request, owner, asked)) === true;
    return this.#askToOpen(request, link);
  }

  async #askToOpen(request: AccessRequest, link: OpenLink): Promise<boolean> {
    const { client, signal, error, tool } = request;
    const { provider, caller } = link.connect.owner;
    const url = linkUrl(link);
    const purpose = error.details['scopes'] === undefined ? 'connect an account' : 'give the account more permissions';
    if (client.elicitUrl === undefined)
      throw authRequired(request, `Open ${url} in a browser to ${purpose}, then call the tool again. ${error.message}`, { url });
    const need = error.details['scopes'] === undefined ? 'an account' : 'more permissions of an account';
    const message = `The tool ${tool.name} needs ${need} at ${provider}. Open the page to log in, and to connect the account to the caller ${caller}.`;
    const elicitationId = link.digest.slice(0, 32);
    const answer = await client.elicitUrl({ name: `connect_${provider}`, message, url, elicitationId, holdsFor: link.digest }, signal);
    if (answer.action !== 'accept')
      throw authRequired(request, `The person did not open the page that connects an account at "${provider}".`);
    const ended = await this.#wait(request, link);
    answer.complete();
    if (ended?.connect.stage.kind === 'code') return this.#askCode(request, ended);
    if (ended?.connect.stage.kind === 'done') return true;
    throw authRequired(request, `The login at "${provider}" ${endOf(ended?.connect)} Call the tool again for a new link.`);
  }

  async #wait(request: AccessRequest, link: OpenLink): Promise<ReadConnect | undefined> {
    try {
      return await waitForConnect(this.#options.links, link.digest, request.signal);
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'TIMEOUT') throw error;
      const message = `The account at "${link.connect.owner.provider}" was not connected within the time limit of the call. Its page is still open: log in there, then call the tool again.`;
      throw authRequired(request, message, { url: linkUrl(link) });
    }
  }

  /** Asks for the code of the login's page. One question a call: the next call asks again. */
  async #askCode(request: AccessRequest, { connect, digest }: ReadConnect): Promise<boolean> {
    const { client, signal } = request;
    const { owner, stage } = connect;
    const waits = `A login at "${owner.provider}" waits for the code that its page shows.`;
    const command = confirmCommand('<code>', owner);
    if (client.elicit === undefined || stage.kind !== 'code')
      throw authRequired(request, `${waits} The person who logged in types it: ${command}`, { command });
    const answer = await client.elicit(
      {
        name: `connect_code_${owner.provider}`,
        message: `${waits} Type it only if you have logged in yourself, in your own browser.`,
        schema: {
          type: 'object',
          properties: { code: { type: 'string', title: 'Code', description: 'Such as CDFG-3467' } },
          required: ['code'],
        },
        holdsFor: `${digest} ${stage.triesLeft}`,
      },
      signal,
    );
    const code = answer.content?.['code'];
    if (answer.action !== 'accept' || typeof code !== 'string') throw authRequired(request, `${waits} It was not typed.`, { command });
    try {
      await this.#options.codes.confirm({ tenant: owner.tenant, caller: owner.caller, provider: owner.provider, code });
      return true;
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'INVALID_PARAMETERS') throw error;
      throw authRequired(request, error.message, { command });
    }
  }
}

function endOf(connect: PendingConnect | undefined): string {
  return connect?.stage.kind === 'failed' ? `failed: ${connect.stage.message}` : 'was not completed within ten minutes.';
}

/** Returns the error of a call with another text, and with more details or others. */
function authRequired(
  { error }: AccessRequest,
  message: string,
  details: { readonly url?: string; readonly command?: string } = {},
): ToolkitError {
  return new ToolkitError('AUTH_REQUIRED', message, { ...error.details, ...details });
}
