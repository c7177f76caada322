import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { afterEach } from 'mocha';
import { Toolkit, type ToolkitOptions } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const opened: Toolkit[] = [];

async function toolkit(options: ToolkitOptions = {}): Promise<Toolkit> {
  const made = await Toolkit.init({ logger: memoryLogger(), includeCore: false, ...options });
  opened.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((made) => made.close()));
});

const acme = {
  oauth2: {
    auth_url: 'https://acme.example/authorize?tenant=1',
    token_url: 'https://acme.example/token',
    redirect_uri: `\${ACME_REDIRECT_URI}`,
    client_id: `\${ACME_CLIENT_ID}`,
    scopes: { read: ['things:read', 'users:read'], write: ['things:write'] },
    access_type: 'offline',
    approval_prompt: 'force',
  },
};

const env = { ACME_REDIRECT_URI: 'https://app.example/cb', TOOLKIT_ACME_CLIENT_ID: 'client-1' };
const resolved = { secretResolver: { resolvers: [{ type: 'env', env } as const] } };

describe('providers as a program uses them', () => {
  it('are added, read and listed', async () => {
    const made = await toolkit();
    expect(made.getProvider('acme')).to.equal(undefined);
    await made.addProvider('acme', acme);
    expect(made.getProvider('acme')).to.deep.include({ name: 'acme', oauth2: acme.oauth2 });
    expect(made.getAllProviders().map(({ name }) => name)).to.deep.equal(['acme']);
  });

  it('are replaced when they are added again', async () => {
    const made = await toolkit();
    await made.addProvider('acme', acme);
    await made.addProvider('acme', { base_url: 'https://acme.example' });
    expect(made.getProvider('acme')?.definition).to.deep.equal({ base_url: 'https://acme.example', provider: { name: 'acme' } });
  });

  it('are refused with the place of the mistake', async () => {
    const made = await toolkit();
    const { scopes: _scopes, ...oauth2 } = acme.oauth2;
    const error = await rejection(made.addProvider('acme', { oauth2: oauth2 as never }), 'TOOL_INVALID');
    expect(error.message).to.include('oauth2.scopes');
  });

  it('are loaded by name from an installed package, with its tools', async () => {
    const cwd = await temporaryFolder();
    await mkdir(path.join(cwd, 'node_modules/@toolkit'), { recursive: true });
    await cp('tools/github', path.join(cwd, 'node_modules/@toolkit/github'), { recursive: true });
    const made = await toolkit({ cwd });
    expect(made.listTools()).to.deep.equal([]);
    const { name, oauth2 } = await made.loadProvider('github');
    expect({ name, url: oauth2?.auth_url }).to.deep.equal({ name: 'github', url: 'https://github.com/login/oauth/authorize' });
    expect(made.listTools().map((tool) => tool.name)).to.include('github_list_issues');
  });

  it('that do not exist are an error with the nearest name', async () => {
    const made = await toolkit();
    await made.addProvider('acme', acme);
    const error = await rejection(made.loadProvider('acne'), 'CONFIG_NOT_FOUND');
    expect(error.message).to.equal(
      'There is no provider "acne". Did you mean "acme"? Install @toolkit/acne, or add it with addProvider().',
    );
  });
});

describe('loadToolsFromDirectory', () => {
  const tool = (name: string) => `name: ${name}\ndescription: d\nexecution: { type: command, command: echo }\n`;

  it('gives the tools of the directory and keeps the ones there are', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'one.yaml'), tool('one'));
    await mkdir(path.join(folder, 'more'));
    await writeFile(path.join(folder, 'more/two.yaml'), tool('two'));
    const made = await toolkit({ toolPaths: [path.join(folder, 'one.yaml')] });
    expect((await made.loadToolsFromDirectory(path.join(folder, 'more'))).map(({ name }) => name)).to.deep.equal(['two']);
    expect(made.listTools().map(({ name }) => name)).to.deep.equal(['one', 'two']);
  });

  it('refuses a directory that does not exist', async () => {
    const error = await rejection((await toolkit()).loadToolsFromDirectory('/does/not/exist'), 'CONFIG_NOT_FOUND');
    expect(error.message).to.include('The tool directory "/does/not/exist" cannot be read');
  });
});

describe('authorizationUrl', () => {
  it('asks for the scopes of the groups, with what the provider says and the environment has', async () => {
    const made = await toolkit(resolved);
    await made.addProvider('acme', acme);
    const { url, state, codeVerifier } = await made.authorizationUrl('acme', { groups: ['read'], scopes: ['users:read', 'extra'] });
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).to.equal('https://acme.example/authorize');
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      tenant: '1',
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: 'https://app.example/cb',
      scope: 'things:read users:read extra',
      state,
      access_type: 'offline',
      approval_prompt: 'force',
    });
    expect(state).to.match(/^[\w-]{22}$/);
    expect(codeVerifier).to.equal(undefined);
  });

  it('separates scopes as the provider does and adds a code challenge where it takes one', async () => {
    const made = await toolkit(resolved);
    await made.addProvider('acme', { oauth2: { ...acme.oauth2, scope_separator: ',', pkce: true } });
    const { url, codeVerifier } = await made.authorizationUrl('acme', {
      groups: ['read', 'write'],
      state: 's',
      redirectUri: 'http://localhost/x',
    });
    const { searchParams } = new URL(url);
    expect(searchParams.get('scope')).to.equal('things:read,users:read,things:write');
    expect(searchParams.get('redirect_uri')).to.equal('http://localhost/x');
    expect(searchParams.get('code_challenge_method')).to.equal('S256');
    expect(codeVerifier).to.match(/^[\w-]{43}$/);
    expect(searchParams.get('code_challenge'))
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(codeVerifier);
  });

  const refused = [
    { title: 'a group that does not exist', options: { groups: ['raed'] }, code: 'INVALID_PARAMETERS', message: 'Did you mean "read"?' },
    {
      title: 'a client id that nobody has',
      resolver: { secretResolver: { resolvers: [] } },
      code: 'MISSING_PARAMETER',
      message: 'Set ACME_CLIENT_ID',
    },
  ] as const;
  it('takes the redirect URI of the request where the definition has none, and says that it is missing otherwise', async () => {
    const made = await toolkit(resolved);
    const { redirect_uri: _uri, ...oauth2 } = acme.oauth2;
    await made.addProvider('acme', { oauth2 });
    const { url } = await made.authorizationUrl('acme', { groups: ['read'], redirectUri: 'http://127.0.0.1:7/cb' });
    expect(new URL(url).searchParams.get('redirect_uri')).to.equal('http://127.0.0.1:7/cb');
    const error = await rejection(made.authorizationUrl('acme'), 'MISSING_PARAMETER');
    expect(error.message).to.equal(
      'The redirect_uri of "acme" is not known. Give "redirectUri" with the request, or write it into the definition, as oauth2.redirect_uri.',
    );
  });

  it('fills in values of the mapping and adds the parameters of the definition', async () => {
    const made = await toolkit({ secretResolver: { resolvers: [{ type: 'env', env: { ...env, ACME_TENANT: 'a/b' } }] } });
    await made.addProvider('acme', {
      oauth2: { ...acme.oauth2, auth_url: 'https://{REGION}.acme.example/{TENANT}/authorize', authorization_params: { prompt: 'consent' } },
      parameter_mapping: [
        { parameter: 'TENANT', env_pattern: 'ACME_TENANT', secret: false },
        { parameter: 'REGION', env_pattern: 'ACME_REGION', secret: false, default: 'eu' },
      ],
    });
    const { origin, pathname, searchParams } = new URL((await made.authorizationUrl('acme')).url);
    expect([origin, pathname, searchParams.get('prompt')]).to.deep.equal(['https://eu.acme.example', '/a%2Fb/authorize', 'consent']);
  });

  it('says which value of the address is not set, and that a device needs none', async () => {
    const made = await toolkit(resolved);
    const parameter_mapping = [{ parameter: 'TENANT', env_pattern: 'ACME_TENANT', secret: false }];
    await made.addProvider('acme', { oauth2: { ...acme.oauth2, auth_url: 'https://{TENANT}.acme.example' }, parameter_mapping });
    expect((await rejection(made.authorizationUrl('acme'), 'MISSING_PARAMETER')).message).to.include('Set ACME_TENANT');
    const { auth_url: _url, ...oauth2 } = acme.oauth2;
    await made.addProvider('acme', { oauth2: { ...oauth2, grant: 'device', device_url: 'https://acme.example/device' } });
    expect((await rejection(made.authorizationUrl('acme'), 'CONFIG_INVALID')).message).to.include('no person opens a URL');
  });

  it('refuses a provider that uses another kind of credential', async () => {
    const made = await toolkit(resolved);
    await made.addProvider('acme', { base_url: 'https://acme.example' });
    expect((await rejection(made.authorizationUrl('acme'), 'CONFIG_INVALID')).message).to.include('has no "oauth2"');
  });

  for (const { title, code, message, ...rest } of refused) {
    it(`refuses ${title}`, async () => {
      const made = await toolkit('resolver' in rest ? { secretResolver: { resolvers: [] } } : resolved);
      await made.addProvider('acme', acme);
      const error = await rejection(made.authorizationUrl('acme', 'options' in rest ? { groups: [...rest.options.groups] } : {}), code);
      expect(error.message).to.include(message);
    });
  }
});
