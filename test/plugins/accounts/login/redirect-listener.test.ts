import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { ToolkitError } from '../../../../kernel/index.ts';
import { RedirectListener } from '../../../../plugins/accounts/login/redirect-listener.ts';
import { afterEach } from '../../../support/after-each.ts';
import { rejection } from '../../../support/rejection.ts';
import { get } from './get.ts';

const opened: RedirectListener[] = [];

afterEach(async () => {
  for (const listener of opened.splice(0)) await listener.close();
});

async function listening(): Promise<RedirectListener> {
  const listener = await RedirectListener.open();
  opened.push(listener);
  return listener;
}

describe('the listener for a redirect', () => {
  const never = new AbortController().signal;

  it('listens on 127.0.0.1 at /callback, and shows the sentence of the finished login', async () => {
    const listener = await listening();
    expect(listener.redirectUri).to.match(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const codes: (string | null)[] = [];
    const ended = listener.wait(
      {
        state: 'right',
        finish: async (redirect) => {
          codes.push(redirect.get('code'));
          return 'The account <ann> is connected.';
        },
      },
      never,
    );
    const { status, body, headers } = await get(listener.redirectUri, '/callback?code=planted-code&state=right');
    await ended;
    expect(status).to.equal(200);
    expect(codes).to.deep.equal(['planted-code']);
    expect(body).to.contain('The account &lt;ann&gt; is connected.').and.not.contain('planted-code');
    expect(headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(headers['content-security-policy']).to.contain("default-src 'none'");
  });

  const refused: readonly (readonly [string, string, { readonly method?: string; readonly host?: string }, number])[] = [
    ['a wrong state', '/callback?code=c&state=wrong', {}, 400],
    ['no state', '/callback?code=c', {}, 400],
    ['two states', '/callback?code=c&state=right&state=right', {}, 400],
    ['an error of another login', '/callback?error=access_denied&state=wrong', {}, 400],
    ['a foreign Host', '/callback?code=c&state=right', { host: 'attacker.example' }, 421],
    ['the name localhost', '/callback?code=c&state=right', { host: 'localhost' }, 421],
    ['the target of another origin', 'http://attacker.example/callback?code=c&state=right', {}, 404],
    ['a target with two slashes', '//attacker.example/callback?code=c&state=right', {}, 404],
    ['another path', '/other?code=c&state=right', {}, 404],
    ['a POST', '/callback?code=c&state=right', { method: 'POST' }, 405],
  ];
  for (const [what, target, options, status] of refused)
    it(`refuses ${what}, and still waits for the login`, async () => {
      const listener = await listening();
      let count = 0;
      const ended = listener.wait(
        {
          state: 'right',
          finish: async () => {
            count++;
            return 'Done.';
          },
        },
        never,
      );
      const answer = await get(listener.redirectUri, target, options);
      expect(answer.status).to.equal(status);
      expect(answer.headers).to.not.have.property('location');
      expect(answer.body).to.not.contain('attacker');
      expect(count).to.equal(0);
      expect((await get(listener.redirectUri, '/callback?code=c&state=right')).status).to.equal(200);
      await ended;
      expect(count).to.equal(1);
    });

  it('takes a redirect once', async () => {
    const listener = await listening();
    let count = 0;
    const ended = listener.wait(
      {
        state: 'right',
        finish: async () => {
          count++;
          return 'Done.';
        },
      },
      never,
    );
    const answers = await Promise.all([1, 2, 3].map(() => get(listener.redirectUri, '/callback?code=c&state=right')));
    await ended;
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400]);
    expect(count).to.equal(1);
  });

  it('ends the login when the tokens cannot be had, and says why without the code', async () => {
    const listener = await listening();
    const ended = rejection(
      listener.wait(
        {
          state: 'right',
          finish: async () => {
            throw new ToolkitError('AUTH_FAILED', 'the provider <b>refused</b>');
          },
        },
        never,
      ),
      'AUTH_FAILED',
    );
    const { status, body } = await get(listener.redirectUri, '/callback?code=planted-code&state=right');
    expect(status).to.equal(400);
    expect(body).to.contain('refused').and.not.contain('<b>').and.not.contain('planted-code');
    expect((await ended).message).to.contain('refused');
  });

  it('ends when it is cancelled, and listens no more after it is closed', async () => {
    const listener = await listening();
    const cancel = new AbortController();
    const ended = rejection(listener.wait({ state: 'right', finish: async () => 'Done.' }, cancel.signal), 'ABORTED');
    cancel.abort(new ToolkitError('ABORTED', 'cancelled'));
    await ended;
    await listener.close();
    const refusal = await get(listener.redirectUri, '/callback?code=c&state=right').catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'ECONNREFUSED' });
  });

  it('waits for no connection that a browser has opened in advance', async () => {
    const listener = await listening();
    const opened = connect(Number(new URL(listener.redirectUri).port), '127.0.0.1');
    const ended = once(opened, 'close');
    await once(opened, 'connect');
    const finished = listener.wait({ state: 'right', finish: async () => 'Done.' }, never);
    expect((await get(listener.redirectUri, '/callback?code=c&state=right')).body).to.contain('Done.');
    await finished;
    await listener.close();
    await ended;
  });

  it('shows pages that say their language, fit a phone, and load nothing', async () => {
    const { body, headers } = await get((await listening()).redirectUri, '/callback?code=c&state=right');
    expect(body)
      .to.contain('<html lang="en">')
      .and.contain('<meta name="viewport"')
      .and.contain('<main><h1>')
      .and.not.match(/\b(?:src|href)="(?!data:,")/);
    expect(headers['content-security-policy']).to.match(/^default-src 'none'; img-src data:; style-src 'sha256-[\w+/=]+'; /);
  });

  it('says that a port is in use', async () => {
    const { redirectUri } = await listening();
    const error = await rejection(RedirectListener.open(redirectUri), 'CONFIG_INVALID');
    expect(error.message).to.contain(redirectUri);
  });
});
