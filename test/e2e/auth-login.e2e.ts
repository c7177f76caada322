import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { toUrl } from '../../kernel/index.ts';
import { type ProviderServer, providerServer } from '../support/oauth/provider-server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Started, start } from './program.ts';

const definition = (issuer: string): string => `
provider:
  name: acme
  documentation_url: https://acme.example/apps
base_url: ${issuer}
auth: { type: bearer, token: "{ACME_TOKEN}" }
oauth2:
  issuer: ${issuer}
  auth_url: ${issuer}/auth
  token_url: ${issuer}/token
  device_url: ${issuer}/device/auth
  revoke_url: ${issuer}/token/revocation
  client_id: \${ACME_CLIENT_ID}
  client_secret: \${ACME_CLIENT_SECRET}
  client_auth: basic
  authorization_params: { prompt: consent }
  account_path: id_token.email
  scopes:
    read: [openid, email, offline_access, read]
    write: [openid, email, offline_access, write]
  provides: { ACME_TOKEN: access_token }
`;

const tool = `
name: acme_whoami
description: Says whose token it is.
execution: { type: http, method: get, url: /me }
risk: low
authentication: { type: bearer, required_scopes: [openid, email, offline_access, read] }
`;

interface Person {
  readonly folder: string;
  readonly server: ProviderServer;
  /** Types a command. */
  type(args: readonly string[], env?: Readonly<Record<string, string>>): Started;
  /** Runs a command to its end. */
  run(...args: string[]): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/** A person with a folder, a provider defined by hand in it, and a state folder of their own. */
async function person(): Promise<Person> {
  const server = await providerServer();
  const folder = await temporaryFolder({
    'package.json': '{ "name": "mine", "type": "module" }',
    'toolkit.config.json': JSON.stringify({
      plugins: [['toolkit/standard', { toolPaths: ['tools'], includeCore: false, autoDiscover: false }]],
    }),
    'tools/acme/definition.yaml': definition(server.issuer),
    'tools/acme/acme_whoami.yaml': tool,
  });
  const own = { XDG_STATE_HOME: path.join(folder, 'state'), ACME_CLIENT_ID: 'toolkit', ACME_CLIENT_SECRET: 'toolkit-secret' };
  const type = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Started =>
    start(args, { cwd: folder, env: { ...own, ...env } });
  return {
    folder,
    server,
    type,
    async run(...args) {
      const started = type(args);
      started.child.stdin?.end();
      const { code } = await started.exit;
      return { code, stdout: started.stdout(), stderr: started.stderr() };
    },
  };
}

const address = /\n(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)\n/;

/** Logs in like a browser that follows the redirect to the listener. Returns the last page. */
async function logIn({ type, server }: Person, ...args: string[]): Promise<{ readonly page: string; readonly started: Started }> {
  const started = type(['auth', 'login', 'acme', ...args]);
  const [, url = ''] = await started.waitFor(address);
  const page = await (await fetch(await server.authorize(url))).text();
  const { code } = await started.exit;
  expect(code, started.stderr()).to.equal(0);
  return { page, started };
}

describe('toolkit auth', () => {
  it('logs in by a browser, and a tool is called with the account', async () => {
    const me = await person();
    const { page, started } = await logIn(me);
    expect(page).to.contain('ann@acme.example').and.contain('You may close this window').and.not.contain('code=');
    expect(started.stdout()).to.contain('The account ann@acme.example at acme is connected.').and.contain('read');
    const { stdout, stderr } = await me.run('run', 'acme_whoami', '--output', 'json');
    expect(stdout, stderr).to.contain('ann@acme.example');
    const status = await me.run('auth', 'status', '--json');
    const [grant] = JSON.parse(status.stdout);
    expect(grant).to.include({ provider: 'acme', account: 'default', name: 'ann@acme.example', caller: 'default', needs_login: false });
    expect(grant.expires_in_s).to.be.within(1, 3600);
  });

  it('logs in by device and by a pasted address, each to an account of its own', async () => {
    const me = await person();
    const device = me.type(['auth', 'login', 'acme', '--device', '--scopes', 'read', '--account', 'phone']);
    const [, code = ''] = await device.waitFor(/type the code ([\w-]+)/);
    await me.server.decideDevice(code);
    expect((await device.exit).code, device.stderr()).to.equal(0);
    me.server.person = 'bob@acme.example';
    const pasting = me.type(['auth', 'login', 'acme', '--no-browser', '--scopes', 'write', '--account', 'work']);
    const [, url = ''] = await pasting.waitFor(address);
    pasting.child.stdin?.write(`${await me.server.authorize(url)}\n`);
    expect((await pasting.exit).code, pasting.stderr()).to.equal(0);
    expect(pasting.stdout()).to.contain('The account work at acme is connected.');
    const { stdout } = await me.run('auth', 'status', '--json');
    expect(JSON.parse(stdout).map(({ account }: { account: string }) => account)).to.deep.equal(['phone', 'work']);
    const call = await me.run('run', 'acme_whoami');
    expect(call.stdout + call.stderr).to.contain('phone, work');
  });

  it('adds the scopes of a further login to those that were granted', async () => {
    const me = await person();
    await logIn(me, '--scopes', 'read');
    const { started } = await logIn(me, '--scopes', 'write', '--json');
    expect(JSON.parse(started.stdout()).scopes).to.include.members(['read', 'write']);
  });

  it('refreshes on demand, and revokes at logout', async () => {
    const me = await person();
    await logIn(me);
    expect((await me.run('auth', 'refresh', 'acme')).stdout).to.contain('has a new access token');
    expect(me.server.tokenRequests.map(({ grant, status }) => `${grant} ${status}`)).to.deep.equal([
      'authorization_code 200',
      'refresh_token 200',
    ]);
    const { stdout, code } = await me.run('auth', 'logout', 'acme');
    expect(stdout).to.contain('Removed the account ann@acme.example at acme, and revoked its access there');
    expect(code).to.equal(0);
    const after = await me.run('run', 'acme_whoami');
    expect(after.code).to.not.equal(0);
    expect(after.stderr).to.contain('toolkit auth login acme');
  });

  it('keeps the account of another caller apart', async () => {
    const me = await person();
    await logIn(me, '--as', 'ada');
    const { stdout } = await me.run('auth', 'status');
    expect(stdout).to.contain('ada');
    expect((await me.run('run', 'acme_whoami')).stderr).to.contain('No account at "acme" is connected');
    expect((await me.run('auth', 'logout', 'acme')).stderr).to.contain('No account of the caller "default"');
    expect((await me.run('auth', 'logout', 'acme', '--as', 'ada')).code).to.equal(0);
  });

  it('leaves no token, code or secret in output, in files or in an error', async () => {
    const me = await person();
    const started = me.type(['auth', 'login', 'acme']);
    const [, url = ''] = await started.waitFor(address);
    const redirect = await me.server.authorize(url);
    const page = await (await fetch(redirect)).text();
    await started.exit;
    const code = redirect.searchParams.get('code') ?? 'no code';
    const files = await readdir(path.join(me.folder, 'state'), { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(path.join(file.parentPath, file.name), 'latin1')),
    );
    const seen = [page, started.stdout(), started.stderr(), ...texts].join('\n');
    for (const secret of [code, 'toolkit-secret', 'refresh_token', 'access_token']) expect(seen).to.not.contain(secret);
    expect(
      files.some(({ parentPath }) => parentPath.endsWith('accounts')),
      'the account is kept in files',
    ).to.equal(true);
  });

  const refused: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>, RegExp])[] = [
    ['a provider that is not known', ['auth', 'login', 'acmee'], {}, /no provider "acmee".*Did you mean "acme"/s],
    ['a provider without a client', ['auth', 'login', 'acme'], { ACME_CLIENT_ID: '' }, /set ACME_CLIENT_ID.*acme\.example\/apps/s],
    ['a group of permissions that is not known', ['auth', 'login', 'acme', '--scopes', 'wirte'], {}, /"wirte".*Did you mean "write"/s],
    ['no provider', ['auth', 'login'], {}, /say at which provider, toolkit auth login <provider>.*acme/s],
    ['to end accounts of a provider that is not known', ['auth', 'logout', 'acmee'], {}, /no provider "acmee".*Did you mean "acme"/s],
    ['the state of a provider that is not known', ['auth', 'status', 'acmee'], {}, /no provider "acmee".*Did you mean "acme"/s],
    ['an account name with other characters', ['auth', 'login', 'acme', '--account', 'a b'], {}, /letters, digits/],
  ];
  for (const [what, args, env, message] of refused)
    it(`refuses ${what} in words`, async () => {
      const me = await person();
      const started = me.type(args, env);
      started.child.stdin?.end();
      expect((await started.exit).code).to.not.equal(0);
      expect(started.stderr()).to.match(message);
    });

  const useless: readonly (readonly [string, RegExp, string, RegExp])[] = [
    [
      'gives tools nothing',
      /\n {2}provides: .*\n/,
      '\n',
      /"acme" has no "provides", so no tool would use the account.*ACME_TOKEN: access_token/s,
    ],
    ['would send the code unencrypted', /token_url: .*/, 'token_url: http://acme.example/token', /"token_url" of "acme".*https/s],
  ];
  for (const [what, pattern, text, message] of useless)
    it(`refuses a login that ${what} before the person logs in`, async () => {
      const me = await person();
      await writeFile(path.join(me.folder, 'tools/acme/definition.yaml'), definition(me.server.issuer).replace(pattern, text));
      const { code, stderr } = await me.run('auth', 'login', 'acme');
      expect(code).to.equal(1);
      expect(stderr).to.match(message).and.not.contain('open this address');
    });

  it('needs no free port where the address is pasted', async () => {
    const me = await person();
    const { host } = toUrl(me.server.issuer);
    const taken = `client_id: \${ACME_CLIENT_ID}\n  redirect_uri: http://${host}/callback`;
    const text = definition(me.server.issuer).replace(/client_id: \S+/, () => taken);
    await writeFile(path.join(me.folder, 'tools/acme/definition.yaml'), text);
    expect((await me.run('auth', 'login', 'acme')).stderr).to.match(/Nothing can listen at .*--no-browser/s);
    const pasting = me.type(['auth', 'login', 'acme', '--no-browser']);
    await pasting.waitFor(address);
    pasting.child.stdin?.write('http://127.0.0.1:1/callback\n');
    expect((await pasting.exit).code).to.not.equal(0);
    expect(pasting.stderr()).to.contain(`which begins with http://${host}/callback`);
  });

  it('warns of no client id that could be guessed: it is no secret', async () => {
    const me = await person();
    const started = me.type(['auth', 'login', 'acme'], { ACME_CLIENT_ID: '1234' });
    await started.waitFor(address);
    expect(started.stderr()).to.not.contain('guessed');
  });

  /** Commands that look at secrets: what they say without an account and with one. */
  const looks: readonly { readonly args: readonly string[]; readonly missing: RegExp; readonly connected: RegExp }[] = [
    { args: ['doctor'], missing: /log in: toolkit auth login acme/, connected: /1 connected/ },
    { args: ['describe', 'acme_whoami'], missing: /log in: toolkit auth login acme/, connected: /ACME_TOKEN connected/ },
    { args: ['secrets', 'check'], missing: /ACME_TOKEN MISSING \(toolkit auth login acme\)/, connected: /ACME_TOKEN by an account/ },
    { args: ['secrets', 'check', '--json'], missing: /"login": "toolkit auth login acme"/, connected: /"account": true/ },
    {
      args: ['mcp', 'setup', '--no-test'],
      missing: /Or log in, once for all clients: toolkit auth login acme/,
      connected: /ACME_TOKEN set \(account\)/,
    },
    // Without the client, a server that a program starts could not use the account.
    {
      args: ['mcp', 'setup', '--no-test'],
      missing: /toolkit auth login acme/,
      connected: /variables of this shell \(ACME_CLIENT_ID, ACME_CLIENT_SECRET\)/,
    },
    { args: ['mcp', 'setup', '--json', '--no-test'], missing: /"login": "toolkit auth login acme"/, connected: /"source": "account"/ },
  ];

  it('is named where a secret is missing, until an account is connected', async function () {
    // It runs the program eighteen times.
    this.timeout(600_000);
    const me = await person();
    const shown = async (args: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await me.run(...args);
      return `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
    };
    for (const { args, missing } of looks) expect(await shown(args), args.join(' ')).to.match(missing);
    expect((await me.run('secrets', 'check')).code).to.equal(1);
    await logIn(me);
    for (const { args, connected } of looks)
      expect(await shown(args), args.join(' '))
        .to.match(connected)
        .and.not.match(/toolkit auth login acme/);
    expect((await me.run('secrets', 'check')).code).to.equal(0);
  });

  it('says what the provider says when the person does not agree', async () => {
    const me = await person();
    const started = me.type(['auth', 'login', 'acme']);
    const [, url = ''] = await started.waitFor(address);
    const page = await (await fetch(await me.server.authorize(url, { denies: true }))).text();
    expect((await started.exit).code).to.equal(1);
    expect(started.stderr()).to.contain('access_denied');
    expect(page).to.contain('Not connected');
    expect((await me.run('auth', 'status')).stdout).to.contain('No account is connected');
  });
});
