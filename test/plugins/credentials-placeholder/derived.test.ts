import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

const mapping = [
  { parameter: 'POST_KEY', env_pattern: 'POST_KEY', required: false },
  { parameter: 'POST_URL', env_pattern: 'POST_URL', required: false },
  { parameter: 'CENTRE', env_pattern: 'POST_CENTRE', secret: false, derive_from: { parameter: 'POST_KEY', pattern: '-([a-z]{2}[0-9]+)$' } },
  { parameter: 'HOST', env_pattern: 'POST_HOST', secret: false, unless: 'POST_URL' },
  { parameter: 'SENDER', env_pattern: 'POST_SENDER', required: false, secret: false },
];

interface Post {
  readonly kernel: Kernel;
  readonly last: () => Readonly<Record<string, string>>;
}

async function post(env: Readonly<Record<string, string>>, tool: Readonly<Record<string, unknown>> = {}): Promise<Post> {
  const { url, requests } = await loopback((_request, response) => json(response, {}));
  const definition = {
    name: 'post_send',
    description: 'Sends.',
    provider: 'post',
    parameters: {
      from: { type: 'string', default_from: { parameter: 'SENDER', unless: 'pool' } },
      pool: { type: 'string' },
    },
    execution: {
      type: 'http',
      method: 'post',
      url,
      headers: { 'x-key': '{POST_KEY}' },
      form: { centre: '{CENTRE}', host: '{HOST}', url: '{POST_URL}', from: '{from}', pool: '{pool}' },
    },
    ...tool,
  };
  const kernel = await testKernel({
    plugins: [executorHttp(), secretsEnv({ env }), credentialsPlaceholder()],
    tools: [definition],
    providers: [{ provider: { name: 'post' }, parameter_mapping: mapping }],
  });
  return {
    kernel,
    last: () => ({ key: String(requests.at(-1)?.headers['x-key']), ...Object.fromEntries(new URLSearchParams(requests.at(-1)?.body)) }),
  };
}

const env = { POST_KEY: 'secret-us21', POST_HOST: 'db' };

describe('a credential that another one holds', () => {
  it('is the group of the pattern, where nobody has it', async () => {
    const { kernel, last } = await post(env);
    await kernel.execute('post_send');
    expect(last()).to.include({ key: 'secret-us21', centre: 'us21' });
  });

  it('is the resolved value, where somebody has it', async () => {
    const { kernel, last } = await post({ ...env, POST_CENTRE: 'eu1' });
    await kernel.execute('post_send');
    expect(last()).to.include({ centre: 'eu1' });
  });

  it('goes with the credentials of the call, whatever the environment says', async () => {
    const { kernel, last } = await post({ ...env, POST_CENTRE: 'eu1' });
    await kernel.execute('post_send', {}, { credentials: { POST_KEY: 'other-ap7' } });
    expect(last()).to.include({ key: 'other-ap7', centre: 'ap7' });
    await kernel.execute('post_send', {}, { credentials: { POST_KEY: 'other-ap7', CENTRE: 'xx1' } });
    expect(last()).to.include({ key: 'other-ap7', centre: 'xx1' });
  });

  it('is not what is missed where the other one is missing too', async () => {
    const { kernel } = await post(
      { POST_HOST: 'db' },
      { parameters: { from: {}, pool: {}, POST_KEY: { type: 'string', auth: true, required: true } } },
    );
    expect((await rejection(kernel.execute('post_send'), 'MISSING_PARAMETER')).details).to.include({ parameter: 'POST_KEY' });
  });

  it('is missing where the pattern does not match, and the message names both', async () => {
    const { kernel } = await post({ ...env, POST_KEY: 'no centre' });
    const { message } = await rejection(kernel.execute('post_send'), 'MISSING_PARAMETER');
    expect(message).to.include('Missing required parameter: CENTRE. Set the environment variable POST_CENTRE, or a POST_KEY that holds it');
  });
});

describe('a credential that another one replaces', () => {
  it('is not needed, and not bound, where the other has a value', async () => {
    const { kernel, last } = await post({ POST_KEY: 'secret-us21', POST_URL: 'pg://all' });
    await kernel.execute('post_send');
    expect(last()).to.include({ url: 'pg://all' }).and.not.have.property('host');
  });

  it('is needed where neither has one, and the message names both', async () => {
    const { kernel } = await post({ POST_KEY: 'secret-us21' });
    const { message } = await rejection(kernel.execute('post_send'), 'MISSING_PARAMETER');
    expect(message).to.include('Missing required parameter: HOST. Set the environment variable POST_HOST, or POST_URL in its place');
  });

  it('given with a call is not replaced by a stored one', async () => {
    const { kernel, last } = await post({ POST_KEY: 'secret-us21', POST_URL: 'pg://all' });
    await kernel.execute('post_send', {}, { credentials: { HOST: 'tenant' } });
    expect(last()).to.include({ host: 'tenant' }).and.not.have.property('url');
  });
});

describe('a parameter with default_from', () => {
  const cases = [
    { what: 'gets the value of the service', values: { ...env, POST_SENDER: '+1555' }, given: {}, from: '+1555' },
    { what: 'keeps what the caller gives', values: { ...env, POST_SENDER: '+1555' }, given: { from: '+1666' }, from: '+1666' },
    { what: 'stays empty beside the other parameter', values: { ...env, POST_SENDER: '+1555' }, given: { pool: 'MG1' }, from: undefined },
    { what: 'stays empty where the service has none', values: env, given: {}, from: undefined },
  ];
  for (const { what, values, given, from } of cases) {
    it(what, async () => {
      const { kernel, last } = await post(values);
      await kernel.execute('post_send', given);
      expect(last()['from']).to.equal(from);
    });
  }

  it('stays empty where the call brings credentials of another account, unless it brings the default as well', async () => {
    const { kernel, last } = await post({ ...env, POST_SENDER: '+1555' });
    await kernel.execute('post_send', {}, { credentials: { POST_KEY: 'other-us1' } });
    expect(last()['from']).to.equal(undefined);
    await kernel.execute('post_send', {}, { credentials: { POST_KEY: 'other-us1', SENDER: '+1777' } });
    expect(last()['from']).to.equal('+1777');
  });

  it('shows the value to who approves, and nothing of it in the published schema', async () => {
    const { kernel } = await post({ ...env, POST_SENDER: '+1555' });
    expect(JSON.stringify(kernel.registry.get('post_send').inputSchema)).to.not.include('SENDER');
  });

  const refused = [
    {
      from: { parameter: 'POST_KEY' },
      says: 'refers to "POST_KEY". Expected a name of the provider\'s parameter_mapping with "secret: false"',
    },
    { from: { parameter: 'NOBODY' }, says: 'refers to "NOBODY". Expected a name' },
    { from: { parameter: 'SENDER', unless: 'pol' }, says: 'names "pol", which is no parameter. Did you mean "pool"?' },
  ];
  for (const { from, says } of refused) {
    it(`is refused when it ${says}`, async () => {
      const { kernel } = await post(env, { parameters: { from: { type: 'string', default_from: from }, pool: { type: 'string' } } });
      expect(kernel.registry.problems.map(({ message }) => message).join()).to.include(says);
    });
  }

  it('is refused beside a default and inside a value', async () => {
    const inner = { type: 'object', properties: { a: { type: 'string', default_from: { parameter: 'SENDER' } } } };
    const { kernel } = await post(env, {
      parameters: { from: { type: 'string', default: 'x', default_from: { parameter: 'SENDER' } }, pool: inner },
    });
    const messages = kernel.registry.problems.map(({ message }) => message).join();
    expect(messages).to.include('cannot be combined with "default"').and.include('has "default_from" inside its value');
  });
});

describe('a parameter that names a secret', () => {
  async function signer(namedSecrets?: readonly string[]): Promise<Kernel> {
    return testKernel({
      plugins: [
        secretsEnv({ env: { HOOK_KEY: 'value-of-hook-key', OTHER_KEY: 'value-of-other-key' } }),
        credentialsPlaceholder(namedSecrets === undefined ? {} : { namedSecrets: [...namedSecrets] }),
      ],
      tools: [
        {
          name: 'sign',
          description: 'Signs.',
          parameters: { key: { type: 'string', names_secret: true }, other: { type: 'string' } },
          execution: {
            type: 'function',
            handler: (_: unknown, { secrets }: { secrets: Record<string, string> }) =>
              Object.entries(secrets).map(([name, value]) => `${name} of ${value.length}`),
          },
        },
      ],
    });
  }

  it('gives the function that secret and no other', async () => {
    const kernel = await signer(['HOOK_KEY', 'OTHER_KEY']);
    expect(await kernel.execute('sign', { key: 'HOOK_KEY', other: 'OTHER_KEY' })).to.deep.equal(['HOOK_KEY of 17']);
    expect(await kernel.execute('sign')).to.deep.equal([]);
  });

  it('is masked in what the function gives back', async () => {
    const kernel = await testKernel({
      plugins: [secretsEnv({ env: { HOOK_KEY: 'value-of-hook-key' } }), credentialsPlaceholder({ namedSecrets: ['HOOK_KEY'] })],
      tools: [
        {
          name: 'leak',
          description: 'Leaks.',
          parameters: { key: { type: 'string', names_secret: true } },
          execution: { type: 'function', handler: (_: unknown, { secrets }: { secrets: unknown }) => ({ secrets }) },
        },
      ],
    });
    expect(JSON.stringify(await kernel.execute('leak', { key: 'HOOK_KEY' }))).to.not.include('value-of-hook-key');
  });

  const refused = [
    { allowed: undefined, says: 'None is allowed yet: the operator lists the names in "namedSecrets".' },
    { allowed: ['HOOK_KEYS'], says: 'Did you mean "HOOK_KEYS"? Expected one of HOOK_KEYS' },
  ];
  for (const { allowed, says } of refused) {
    it(`is refused where ${allowed ?? 'nothing'} is allowed`, async () => {
      const kernel = await signer(allowed);
      expect((await rejection(kernel.execute('sign', { key: 'HOOK_KEY' }), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }

  it('is missing where no store has it', async () => {
    const kernel = await signer(['NOWHERE_KEY']);
    const { message } = await rejection(kernel.execute('sign', { key: 'NOWHERE_KEY' }), 'MISSING_PARAMETER');
    expect(message).to.include('NOWHERE_KEY');
  });
});

describe('a declared credential', () => {
  it('is required for its tool alone, whatever the mapping says', async () => {
    const { kernel } = await post(
      { POST_HOST: 'db', POST_CENTRE: 'us1' },
      { parameters: { from: {}, pool: {}, POST_KEY: { type: 'string', auth: true, required: true } } },
    );
    const { message } = await rejection(kernel.execute('post_send'), 'MISSING_PARAMETER');
    expect(message).to.include('POST_KEY');
    expect(JSON.stringify(kernel.registry.get('post_send').inputSchema)).to.not.include('POST_KEY');
  });
});
