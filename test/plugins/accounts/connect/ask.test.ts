import { expect } from 'chai';
import {
  type AccessRequest,
  type Answer,
  type CallClient,
  type Question,
  ToolkitError,
  type UrlRequest,
} from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { storeInFile } from '../../../support/shared-state.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { Browser, codeIn, tokenIn } from './browser.ts';
import { type ConnectSite, connectSite } from './connect-site.ts';

const ada = { tenant: 'shop', caller: 'ada', provider: 'mail' };

/** The call of a tool that has failed for lack of an account. */
function requestOf(client: CallClient, signal = new AbortController().signal): AccessRequest {
  return {
    ...ada,
    tool: { name: 'mail_send_message' } as AccessRequest['tool'],
    error: new ToolkitError('AUTH_REQUIRED', 'No account is connected.', { provider: 'mail', command: 'toolkit auth login mail --as ada' }),
    client,
    signal,
  };
}

/** A client that can open addresses. `does`: the person's part, which the client does not wait for. */
function opening(does: (request: UrlRequest) => Promise<unknown> = async () => {}): CallClient & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    elicitUrl: async (request) => {
      seen.push(`asked ${request.elicitationId}`);
      void does(request);
      return { action: 'accept', complete: () => void seen.push(`completed ${request.elicitationId}`) };
    },
  };
}

/** Logs a person in by a link. Returns the code of the page. */
async function logIn(site: ConnectSite, link: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const browser = new Browser(site);
  return codeIn((await browser.open(site.provider.redirectOf(await browser.goOn(link), more))).text);
}

function typing(code: () => string | Promise<string>, questions: Question[] = []): Pick<CallClient, 'elicit'> {
  return {
    elicit: async (question): Promise<Answer> => {
      questions.push(question);
      return { action: 'accept', content: { code: await code() } };
    },
  };
}

describe('accounts: asking for a login', () => {
  it('holds the call until the person has logged in, and notifies the client', async () => {
    const site = await connectSite();
    const client = opening(({ url }) => logIn(site, url));
    expect(await site.connect.ask(requestOf(client))).to.equal(true);
    expect(site.provider.saved).to.have.length(1);
    const [asked = '', completed = ''] = client.seen;
    expect(asked.replace('asked ', '')).to.equal(completed.replace('completed ', ''));
  });

  it('never shows the id of the link in the id of the question', async () => {
    const site = await connectSite();
    const client = opening(({ url }) => logIn(site, url));
    const link = String(await site.connect.link(ada, []));
    await site.connect.ask(requestOf(client));
    expect(client.seen.join()).to.not.contain(link.split('/').at(-1));
  });

  it('names the link and the command in the error where the client cannot open addresses', async () => {
    const site = await connectSite();
    for (const client of [{}, typing(() => 'CDFG-3467')]) {
      const error = await rejection(site.connect.ask(requestOf(client)), 'AUTH_REQUIRED');
      const link = await site.connect.link(ada, []);
      expect(error.message).to.equal(`Open ${link} in a browser to connect an account, then call the tool again. No account is connected.`);
      expect([error.details['url'], error.details['command']]).to.deep.equal([link, 'toolkit auth login mail --as ada']);
    }
  });

  it('makes no link and asks nobody where no HTTP server runs', async () => {
    const site = await connectSite();
    const client = opening();
    site.settings.baseUrl = undefined;
    expect(await site.connect.ask(requestOf(client))).to.equal(false);
    expect([client.seen, await site.state.list('')]).to.deep.equal([[], []]);
  });

  it('makes no link and asks nobody where no person logs in by a browser', async () => {
    const site = await connectSite();
    site.provider.hasLinks = async () => false;
    const client = opening();
    expect(await site.connect.ask(requestOf(client))).to.equal(false);
    expect([client.seen, await site.state.list('')]).to.deep.equal([[], []]);
  });

  it('asks nobody while another process refreshes the account', async () => {
    const site = await connectSite();
    const request = requestOf(opening());
    expect(await site.connect.ask({ ...request, error: request.error.with({ retryable: true }) })).to.equal(false);
  });

  it('asks for the code in the same call where the server has several callers', async () => {
    const site = await connectSite({ hasSeveralCallers: true });
    const questions: Question[] = [];
    let code: string | Promise<string> = '';
    const client = {
      ...opening(({ url }) => {
        code = logIn(site, url);
        return code;
      }),
      ...typing(() => code, questions),
    };
    expect(await site.connect.ask(requestOf(client))).to.equal(true);
    expect(site.provider.saved).to.have.length(1);
    expect(questions.map(({ message }) => message)).to.deep.equal([
      'A login at "mail" waits for the code that its page shows. Type it only if you have logged in yourself, in your own browser.',
    ]);
  });

  it('asks for a waiting code in the next call of the caller, as long as it is valid', async () => {
    const site = await connectSite({ hasSeveralCallers: true });
    const code = await logIn(site, String(await site.connect.link(ada, [])));
    site.pass(9 * 60_000);
    expect(await site.connect.ask(requestOf(typing(() => code)))).to.equal(true);
    expect(site.provider.saved).to.have.length(1);
  });

  it('says that a code waits to a client without questions, and how to type it', async () => {
    const site = await connectSite({ hasSeveralCallers: true });
    await logIn(site, String(await site.connect.link(ada, [])));
    const { message } = await rejection(site.connect.ask(requestOf(opening())), 'AUTH_REQUIRED');
    expect(message).to.contain('waits for the code').and.contain('toolkit auth login --confirm <code> --as ada --tenant shop');
  });

  it('counts a wrong code, and says how many tries are left', async () => {
    const site = await connectSite({ hasSeveralCallers: true });
    await logIn(site, String(await site.connect.link(ada, [])));
    const { message } = await rejection(site.connect.ask(requestOf(typing(() => 'CDFG-3467'))), 'AUTH_REQUIRED');
    expect(message).to.contain('4 tries are left');
    expect(site.provider.saved).to.deep.equal([]);
  });

  const ends: readonly {
    when: string;
    action: 'accept' | 'decline' | 'cancel';
    does(site: ConnectSite, url: string): unknown;
    says: string;
  }[] = [
    { when: 'the person declines', action: 'decline', does: () => {}, says: 'did not open the page' },
    { when: 'the person cancels', action: 'cancel', does: () => {}, says: 'did not open the page' },
    {
      when: 'the provider refuses',
      action: 'accept',
      does: (site, url) => logIn(site, url, { error: 'access_denied', error_description: 'no' }),
      says: 'failed: The provider refused: access_denied (no).',
    },
  ];
  for (const { when, action, does, says } of ends)
    it(`ends the call with AUTH_REQUIRED when ${when}`, async () => {
      const site = await connectSite();
      const client: CallClient = {
        elicitUrl: async ({ url }) => {
          void does(site, url);
          return { action, complete: () => {} };
        },
      };
      const error = await rejection(site.connect.ask(requestOf(client)), 'AUTH_REQUIRED');
      expect(error.message).to.contain(says);
      expect(error.details['command']).to.equal('toolkit auth login mail --as ada');
    });

  it('ends the call when the login cannot begin', async () => {
    const site = await connectSite();
    site.provider.begin = async () => {
      throw new ToolkitError('CONFIG_INVALID', 'There is no client id.');
    };
    const browser = new Browser(site);
    const client = opening(async ({ url }) => browser.submit(url, { token: tokenIn((await browser.open(url)).text) }));
    const error = await rejection(site.connect.ask(requestOf(client)), 'AUTH_REQUIRED');
    expect(error.message).to.contain('failed: There is no client id. Call the tool again');
  });

  it('leaves the link open when the time limit of the call ends the wait', async () => {
    const site = await connectSite();
    const limit = new AbortController();
    const client = opening(async () => limit.abort(new ToolkitError('TIMEOUT', 'The time limit is over.')));
    const error = await rejection(site.connect.ask(requestOf(client, limit.signal)), 'AUTH_REQUIRED');
    expect(error.message).to.contain('Its page is still open');
    await logIn(site, String(error.details['url']));
    expect(site.provider.saved).to.have.length(1);
  });

  it('ends the wait of a cancelled call with the reason', async () => {
    const site = await connectSite();
    const cancelled = new AbortController();
    const client = opening(async () => cancelled.abort(new ToolkitError('ABORTED', 'The caller cancelled.')));
    await rejection(site.connect.ask(requestOf(client, cancelled.signal)), 'ABORTED');
  });

  it('notices a login that another process has finished', async () => {
    const file = `${await temporaryFolder()}/state.db`;
    const [asking, serving] = [await connectSite({ state: storeInFile(file) }), await connectSite({ state: storeInFile(file) })];
    const request = requestOf(opening(({ url }) => logIn(serving, url)));
    expect(await asking.connect.ask(request)).to.equal(true);
    expect([asking.provider.saved.length, serving.provider.saved.length]).to.deep.equal([0, 1]);
    await Promise.all([asking.state.close(), serving.state.close()]);
  });

  it('serves twenty calls at once by one link', async () => {
    const site = await connectSite();
    const urls = new Set<string>();
    let logins = 0;
    const client = opening(async ({ url }) => {
      urls.add(url);
      if (++logins === 20) await logIn(site, url);
    });
    const asked = await Promise.all(Array.from({ length: 20 }, async () => site.connect.ask(requestOf(client))));
    expect(new Set(asked)).to.deep.equal(new Set([true]));
    expect([urls.size, site.provider.saved.length]).to.deep.equal([1, 1]);
  });
});
