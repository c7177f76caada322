import { type AccessRequest, ToolkitError } from '../../../kernel/index.ts';
import type { CodeConfirmation } from './code-confirmation.ts';
import { confirmCommand } from './confirmation-code.ts';
import type { ConnectLinks } from './connect-links.ts';
import { idOfLink } from './connect-paths.ts';
import { waitForConnect } from './connect-wait.ts';
import type { PendingConnect, ReadConnect } from './pending-connect.ts';

/** Asks the persons of callers to open links and to type codes. */
export class ConnectAsk {
  readonly #links: ConnectLinks;
  readonly #codes: CodeConfirmation;

  constructor(links: ConnectLinks, codes: CodeConfirmation) {
    this.#links = links;
    this.#codes = codes;
  }

  /**
   * Asks the caller's person to open the link in the error, waits until the account is connected, and asks for the code where one is needed.
   * Resolves to true when a grant was written; to false when the client cannot be asked: the error has the link. Throws AUTH_REQUIRED with
   * another text when the person declined, the login failed, or a code is missing or wrong.
   */
  async ask(request: AccessRequest): Promise<boolean> {
    const url = request.error.details['url'];
    const read = await this.#links.find(idOfLink(url) ?? '');
    if (typeof url !== 'string' || read === undefined || !isOf(read.connect, request)) return false;
    if (read.connect.stage.kind === 'code') return this.#askCode(request, read.connect, read.digest);
    const { elicitUrl } = request.client;
    return elicitUrl === undefined ? false : this.#askToOpen(request, read, url);
  }

  async #askToOpen(request: AccessRequest, { digest, connect }: ReadConnect, url: string): Promise<boolean> {
    const { client, signal } = request;
    const { provider, caller } = connect.owner;
    const answer = await client.elicitUrl?.(
      {
        name: `connect_${provider}`,
        message: `The tool ${request.tool.name} needs an account at ${provider}. Open the page to log in and to connect it to the caller ${caller}.`,
        url,
        elicitationId: digest.slice(0, 32),
        holdsFor: digest,
      },
      signal,
    );
    if (answer?.action !== 'accept')
      throw authRequired(request, `The person did not open the page that connects an account at "${provider}".`);
    const ended = await this.#wait(request, digest);
    answer.complete();
    if (ended?.stage.kind === 'code') return this.#askCode(request, ended, digest);
    if (ended?.stage.kind === 'done') return true;
    const reason = ended?.stage.kind === 'failed' ? `failed: ${ended.stage.message}` : 'was not completed within ten minutes.';
    throw authRequired(request, `The login at "${provider}" ${reason} Call the tool again for a new link.`, { url: undefined });
  }

  async #wait(request: AccessRequest, digest: string): Promise<PendingConnect | undefined> {
    try {
      return await waitForConnect(this.#links, digest, request.signal);
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'TIMEOUT') throw error;
      const { provider } = request.error.details;
      throw authRequired(
        request,
        `The account at "${provider}" was not connected within the time limit of the call. The link is still open: call the tool again when you have logged in.`,
      );
    }
  }

  /** Asks for the code of the login's page. One question a call: the next call asks again. */
  async #askCode(request: AccessRequest, { owner, stage }: PendingConnect, digest: string): Promise<boolean> {
    const { client, signal } = request;
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
      await this.#codes.confirm({ tenant: owner.tenant, caller: owner.caller, provider: owner.provider, code });
      return true;
    } catch (error) {
      if (!ToolkitError.is(error) || error.code !== 'INVALID_PARAMETERS') throw error;
      throw authRequired(request, error.message, { command });
    }
  }
}

/** Returns the error of a call with another text. Its details stay, but for those that are given. */
function authRequired(
  { error }: AccessRequest,
  message: string,
  details: { readonly url?: undefined; readonly command?: string } = {},
): ToolkitError {
  return new ToolkitError(error.code, message, { ...error.details, ...details });
}

function isOf({ owner }: PendingConnect, { tenant, caller }: AccessRequest): boolean {
  return owner.tenant === tenant && owner.caller === caller;
}
