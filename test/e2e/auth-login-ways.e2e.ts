import path from 'node:path';
import { expect } from 'chai';
import { closedPort } from '../support/closed-port.ts';
import { TokenServer } from '../support/oauth/token-server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Started, start } from './program.ts';

const tool = `
name: acme_whoami
description: Says whose token it is.
execution: { type: http, method: get, url: /api }
risk: low
`;

interface Person {
  readonly server: TokenServer;
  type(...args: string[]): Started;
  /** Runs a command to its end, with one line of input. */
  run(args: readonly string[], line?: string): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

interface PersonOptions {
  /** More lines of the provider's `oauth2`. */
  readonly oauth2?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const client = { ACME_CLIENT_ID: 'toolkit', ACME_CLIENT_SECRET: 'toolkit-secret' };

async function person({ oauth2 = '', env = client }: PersonOptions = {}): Promise<Person> {
  const server = await TokenServer.start();
  const { url } = server;
  const definition = `
provider: { name: acme, documentation_url: 'https://acme.example/apps' }
base_url: ${url}
auth: { type: bearer, token: "{ACME_TOKEN}" }
oauth2:
  token_url: ${url}/token
  client_id: \${ACME_CLIENT_ID}
  client_secret: \${ACME_CLIENT_SECRET}
  account_path: account
  scopes: { read: [read] }
  provides: { ACME_TOKEN: access_token }
${oauth2.replaceAll('URL', url)}
`;
  const folder = await temporaryFolder({
    'package.json': '{ "name": "mine", "type": "module" }',
    'toolkit.config.json': JSON.stringify({
      plugins: [['toolkit/standard', { toolPaths: ['tools'], includeCore: false, autoDiscover: false }]],
    }),
    'tools/acme/definition.yaml': definition,
    'tools/acme/acme_whoami.yaml': tool,
  });
  const type = (...args: string[]): Started => start(args, { cwd: folder, env: { XDG_STATE_HOME: path.join(folder, 'state'), ...env } });
  return {
    server,
    type,
    async run(args, line) {
      const started = type(...args);
      started.child.stdin?.end(line === undefined ? '' : `${line}\n`);
      const { code } = await started.exit;
      return { code, stdout: started.stdout(), stderr: started.stderr() };
    },
  };
}

const byCode = '  auth_url: URL/authorize';
const address = /\n(http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+)\n/;

describe('toolkit auth login', () => {
  it('listens at the redirect address of the definition', async () => {
    const redirectUri = `http://127.0.0.1:${await closedPort()}/signed-in`;
    const me = await person({ oauth2: `${byCode}\n  redirect_uri: ${redirectUri}` });
    const started = me.type('auth', 'login', 'acme');
    const [, url = ''] = await started.waitFor(address);
    expect(new URL(url).searchParams.get('redirect_uri')).to.equal(redirectUri);
    expect(await (await fetch(me.server.authorize(url))).text()).to.contain('ann@acme.example');
    expect((await started.exit).code, started.stderr()).to.equal(0);
  });

  it('takes the pasted address where the redirect address is on another machine', async () => {
    const redirectUri = 'https://tools.acme.example/signed-in';
    const me = await person({ oauth2: `${byCode}\n  redirect_uri: ${redirectUri}` });
    const started = me.type('auth', 'login', 'acme');
    const [, url = ''] = await started.waitFor(address);
    const redirect = me.server.authorize(url);
    expect(redirect.origin + redirect.pathname).to.equal(redirectUri);
    started.child.stdin?.end(`${redirect.href}\n`);
    expect((await started.exit).code, started.stderr()).to.equal(0);
    expect(started.stdout()).to.contain('The account ann@acme.example at acme is connected');
    expect(started.stdout() + started.stderr()).to.not.contain(redirect.searchParams.get('code'));
  });

  const pasted: readonly (readonly [string, string | undefined, string])[] = [
    ['nothing', undefined, 'no address was pasted'],
    ['a word', 'yes', 'received something else'],
    ['another address', 'https://tools.acme.example/elsewhere?code=planted-code&state=x', 'received another address'],
    ['the answer to another login', 'https://tools.acme.example/signed-in?code=planted-code&state=x', 'expected the state of this login'],
  ];
  for (const [what, line, says] of pasted)
    it(`refuses ${what} in place of the address at which the browser ended`, async () => {
      const me = await person({ oauth2: `${byCode}\n  redirect_uri: https://tools.acme.example/signed-in` });
      const { code, stderr, stdout } = await me.run(['auth', 'login', 'acme'], line);
      expect(code).to.not.equal(0);
      expect(me.server.requests).to.deep.equal([]);
      expect(stderr).to.contain(says);
      expect(stderr + stdout).to.not.contain('planted-code');
      expect((await me.run(['auth', 'status'])).stdout).to.contain('No account is connected');
    });

  it('needs no secret by device, nor to refresh then, and names it for a browser', async () => {
    const me = await person({ oauth2: `${byCode}\n  device_url: URL/device`, env: { ACME_CLIENT_ID: 'public' } });
    const refused = await me.run(['auth', 'login', 'acme']);
    expect(refused.stderr).to.contain('Set ACME_CLIENT_SECRET');
    const started = me.type('auth', 'login', 'acme', '--device');
    const [, code = ''] = await started.waitFor(/type the code ([\w-]+)/);
    me.server.decideDevice(code);
    expect((await started.exit).code, started.stderr()).to.equal(0);
    expect((await me.run(['auth', 'refresh', 'acme'])).stdout).to.contain('has a new access token');
    expect(me.server.requests.at(-1)?.parameters).to.not.have.property('client_secret');
    const call = await me.run(['run', 'acme_whoami']);
    expect(call.stdout, call.stderr).to.contain('ann@acme.example');
  });

  it('asks no person for a client that logs in by itself, whose calls need no login at all', async () => {
    const me = await person({ oauth2: '  grant: client_credentials' });
    const call = await me.run(['run', 'acme_whoami']);
    expect(call.stdout, call.stderr).to.contain('toolkit');
    const login = await me.run(['auth', 'login', 'acme', '--as', 'ada']);
    expect(login.stdout, login.stderr).to.contain('for the caller "ada"');
    expect(me.server.requests.map(({ grant }) => grant)).to.deep.equal(['client_credentials', 'client_credentials']);
    const { stdout } = await me.run(['auth', 'status', '--json']);
    expect(JSON.parse(stdout).map(({ caller, renews }: Record<string, unknown>) => [caller, renews])).to.deep.equal([
      ['ada', true],
      ['default', true],
    ]);
    const logout = await me.run(['auth', 'logout', 'acme']);
    expect(logout.stderr + logout.stdout).to.contain('The next call gets a token again');
  });
});
