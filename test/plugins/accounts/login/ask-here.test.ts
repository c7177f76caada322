import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { type AccessRequest, type CallClient, ToolkitError, type UrlRequest } from '../../../../kernel/index.ts';
import type { Grant, GrantOwner } from '../../../../plugins/accounts/grants/grant.ts';
import { askHere } from '../../../../plugins/accounts/login/ask-here.ts';
import { LocalLogins } from '../../../../plugins/accounts/login/local-logins.ts';
import type { OAuthClient } from '../../../../plugins/shared/oauth/types.ts';
import { afterEach } from '../../../support/after-each.ts';
import { keptLogger } from '../../../support/log-lines.ts';
import { rejection } from '../../../support/rejection.ts';

const owner: GrantOwner = { tenant: 'default', caller: 'default', provider: 'mail', issuer: 'https://mail.example', account: 'default' };
const command = 'toolkit auth login mail';
const opened: LocalLogins[] = [];

afterEach(async () => {
  for (const logins of opened.splice(0)) await logins.close();
});

interface Site {
  readonly logins: LocalLogins;
  readonly saved: string[];
  readonly logged: readonly string[];
  /** Redirect addresses of the logins that began. */
  readonly redirects: string[];
  ask(client: CallClient, given?: { readonly signal?: AbortSignal; readonly owner?: GrantOwner }): Promise<boolean>;
}

/** Logins on this machine, at a provider whose codes are all right but `wrong`. */
function site({ redirectUri, authUrl = 'https://mail.example/auth' }: { redirectUri?: string; authUrl?: string | undefined } = {}): Site {
  const saved: string[] = [];
  const redirects: string[] = [];
  const logger = keptLogger({ level: 'debug' });
  let count = 0;
  const client = {
    settings: { grant: 'code', provider: 'mail', authUrl: authUrl === '' ? undefined : authUrl },
    begin: async ({ redirectUri: address, scopes }) => {
      redirects.push(address);
      const state = `state-${++count}`;
      return {
        url: `https://mail.example/auth?${new URLSearchParams({ state, redirect_uri: address })}`,
        state,
        redirectUri: address,
        scopes,
      };
    },
    finish: async (_request, redirect) => {
      if (redirect.get('code') === 'wrong') throw new ToolkitError('AUTH_FAILED', 'The code was refused.');
      return { accessToken: 'secret-access', receivedAt: 0, values: {} };
    },
  } as Partial<OAuthClient> as OAuthClient;
  const logins = new LocalLogins({
    clientOf: async () => client,
    redirectUriOf: async () => redirectUri,
    save: async (of, _client, tokens) => {
      saved.push(of.account);
      return { owner: of, tokens } as Grant;
    },
    logger,
  });
  opened.push(logins);
  const ask: Site['ask'] = (asked, { signal = new AbortController().signal, owner: of = owner } = {}) => {
    const error = new ToolkitError('AUTH_REQUIRED', `No account is connected. Type: ${command}`, { provider: 'mail', command });
    const tool = { name: 'mail_send_message' } as AccessRequest['tool'];
    return askHere({ caller: of.caller, tenant: of.tenant, tool, error, client: asked, signal }, of, ['read'], logins);
  };
  return { logins, saved, logged: logger.lines, redirects, ask };
}

/** Comes back as a browser does after the person has logged in. Returns the last page. */
async function comeBack(url: string, code = 'right', state = new URL(url).searchParams.get('state') ?? ''): Promise<string> {
  const redirect = new URL(new URL(url).searchParams.get('redirect_uri') ?? '');
  redirect.search = new URLSearchParams({ state, code }).toString();
  return (await fetch(redirect)).text();
}

function opening(
  does: (request: UrlRequest) => Promise<unknown>,
  action: 'accept' | 'decline' = 'accept',
): CallClient & { completed: number } {
  const client = {
    completed: 0,
    elicitUrl: async (request: UrlRequest) => {
      void does(request);
      return { action, complete: () => void client.completed++ };
    },
  };
  return client;
}

/** Fails unless nothing listens there. */
async function expectClosed(redirectUri: string | undefined): Promise<void> {
  const { port } = new URL(redirectUri ?? '');
  const socket = connect(Number(port), '127.0.0.1');
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).to.equal('ECONNREFUSED');
}

describe('accounts: a login that a client on this machine is asked for', () => {
  it('holds the call until the person has logged in, and notifies the client', async () => {
    const { ask, saved, redirects, logged } = site();
    let page: Promise<string> | undefined;
    const client = opening(async ({ url }) => {
      page = comeBack(url);
    });
    expect(await ask(client)).to.equal(true);
    expect([saved, client.completed]).to.deep.equal([['default'], 1]);
    expect(await page)
      .to.contain('is connected')
      .and.contain('You may close this window');
    await expectClosed(redirects[0]);
    expect(logged.join()).to.not.contain('secret-access').and.not.contain('state-1');
  });

  for (const [name, client, options] of [
    ['a client that opens no addresses', {}, {}],
    ['another caller', opening(async () => {}), { owner: { ...owner, caller: 'ada' } }],
  ] as const)
    it(`asks nobody and opens nothing for ${name}`, async () => {
      const { ask, redirects } = site();
      expect(await ask(client, options)).to.equal(false);
      expect(redirects).to.deep.equal([]);
    });

  for (const [name, options] of [
    ['sends people elsewhere', { redirectUri: 'https://tools.example/callback' }],
    ['has no login in a browser', { authUrl: '' }],
  ] as const)
    it(`asks nobody where the provider ${name}`, async () => {
      const { ask, redirects } = site(options);
      expect(await ask(opening(async () => {}))).to.equal(false);
      expect(redirects).to.deep.equal([]);
    });

  it('closes the listener when the person declines, and names the command', async () => {
    const { ask, redirects } = site();
    const error = await rejection(ask(opening(async () => {}, 'decline')), 'AUTH_REQUIRED');
    expect(error.message).to.contain('did not open the page').and.contain(command);
    await expectClosed(redirects[0]);
  });

  it('closes the listener when the login fails, and says why', async () => {
    const { ask, redirects, saved } = site();
    const error = await rejection(ask(opening(({ url }) => comeBack(url, 'wrong'))), 'AUTH_REQUIRED');
    expect(error.message).to.contain('The code was refused.');
    expect(saved).to.deep.equal([]);
    await expectClosed(redirects[0]);
  });

  for (const [name, reason, code, says] of [
    ['is cancelled', new ToolkitError('ABORTED', 'The client cancelled the call.'), 'ABORTED', 'cancelled'],
    ['has used up its time', new ToolkitError('TIMEOUT', 'The call took too long.'), 'AUTH_REQUIRED', 'within the time limit of the call'],
  ] as const)
    it(`closes the listener when the call ${name}`, async () => {
      const { ask, redirects, saved } = site();
      const call = new AbortController();
      const client = opening(async () => setImmediate(() => call.abort(reason)));
      const error = await rejection(ask(client, { signal: call.signal }), code);
      expect(error.message).to.contain(says);
      expect(saved).to.deep.equal([]);
      await expectClosed(redirects[0]);
    });

  it('closes the listener when the kernel closes, also with a connection on which a browser sends nothing', async () => {
    const { ask, logins, redirects } = site();
    let call: Promise<ToolkitError> | undefined;
    await new Promise<void>((resolve) => {
      call = rejection(ask(opening(async () => resolve())), 'AUTH_REQUIRED');
    });
    const idle = connect(Number(new URL(redirects[0] ?? '').port), '127.0.0.1');
    idle.on('error', () => {});
    await once(idle, 'connect');
    await logins.close();
    expect((await call)?.message).to.contain('has ended');
    await expectClosed(redirects[0]);
    expect(await ask(opening(async () => {})), 'afterwards').to.equal(false);
  });

  it('takes no redirect of another login, and none twice', async () => {
    const { ask, saved } = site();
    const pages: string[] = [];
    const client = opening(async ({ url }) => {
      pages.push(await comeBack(url, 'right', 'state-of-another'));
      pages.push(...(await Promise.all([comeBack(url), comeBack(url)])));
    });
    expect(await ask(client)).to.equal(true);
    expect(saved).to.deep.equal(['default']);
    expect(pages[0]).to.contain('belongs to another login');
  });

  it('serves twenty calls at once by one login', async () => {
    const { ask, saved, redirects } = site();
    const urls: string[] = [];
    const client = opening(async ({ url }) => {
      urls.push(url);
      if (urls.length === 20) await comeBack(url);
    });
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => ask(client))))).to.deep.equal(new Set([true]));
    expect([new Set(urls).size, redirects.length, saved.length]).to.deep.equal([1, 1, 1]);
  });

  describe('with a client that answers in another request', () => {
    const asked = new ToolkitError('ABORTED', 'The client is asked.', { isAsked: true });

    it('keeps the listener for the answer, with the same question, and closes it with that call', async () => {
      const { ask, saved, redirects } = site();
      const questions: UrlRequest[] = [];
      const first: CallClient = {
        elicitUrl: async (request) => {
          questions.push(request);
          throw asked;
        },
      };
      await rejection(ask(first), 'ABORTED');
      const again = opening(async (request) => {
        questions.push(request);
        await comeBack(request.url);
      });
      expect(await ask(again)).to.equal(true);
      expect(questions[1]).to.deep.equal(questions[0]);
      expect([saved, redirects.length]).to.deep.equal([['default'], 1]);
      await expectClosed(redirects[0]);
    });

    it('connects a person who is faster than the answer', async () => {
      const { ask, saved, redirects } = site();
      let url = '';
      const first: CallClient = {
        elicitUrl: async (request) => {
          ({ url } = request);
          throw asked;
        },
      };
      await rejection(ask(first), 'ABORTED');
      expect(await comeBack(url)).to.contain('is connected');
      expect(saved).to.deep.equal(['default']);
      await expectClosed(redirects[0]);
    });

    it('closes the listener when the answer declines', async () => {
      const { ask, redirects } = site();
      const first: CallClient = {
        elicitUrl: async () => {
          throw asked;
        },
      };
      await rejection(ask(first), 'ABORTED');
      await rejection(ask(opening(async () => {}, 'decline')), 'AUTH_REQUIRED');
      await expectClosed(redirects[0]);
    });
  });
});
