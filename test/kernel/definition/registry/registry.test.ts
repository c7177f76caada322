import { expect } from 'chai';
import Type from 'typebox';
import type { LinkedTool } from '../../../../kernel/definition/link/linked-tool.ts';
import { Registry } from '../../../../kernel/definition/registry/registry.ts';
import { type Advise, apiVersion, definePlugin, formatProblem } from '../../../../kernel/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { turnsDuring } from '../../../support/slow-clock.ts';
import { bareKernel, echoTool, testKernel } from '../../../support/test-kernel.ts';

const http = (more: Readonly<Record<string, unknown>>) => ({
  name: 'call_it',
  description: 'd',
  execution: { type: 'http', method: 'get', url: 'https://api.example/x' },
  ...more,
});

async function problemsOf(tool: unknown): Promise<string[]> {
  const kernel = await testKernel({ plugins: [executorHttp()], tools: [tool] });
  return kernel.registry.problems.map((problem) => `${problem.severity} ${formatProblem(problem)}`);
}

describe('the registry', () => {
  it('lists tools in the order of their names', async () => {
    const kernel = await testKernel({ tools: ['b', 'a', 'c'].map((name) => echoTool({ name })) });
    expect([...kernel.registry.tools.keys()]).to.deep.equal(['a', 'b', 'c']);
  });

  it('suggests the nearest names for an unknown tool', async () => {
    const kernel = await testKernel({ tools: ['fs_read', 'fs_write'].map((name) => echoTool({ name })) });
    const error = await rejection(kernel.execute('fs_raed'), 'TOOL_NOT_FOUND');
    expect(error.message).to.equal('There is no tool "fs_raed". Did you mean "fs_read"?');
  });

  it('never suggests a tool that the caller may not see', async () => {
    const kernel = await testKernel({ tools: ['fs_read', 'fs_write'].map((name) => echoTool({ name })) });
    const error = await rejection(kernel.execute('fs_raed', {}, { isVisible: () => false }), 'TOOL_NOT_FOUND');
    expect(error.message).to.include('No tool is available').and.not.include('fs_read');
  });

  it('says why a tool was refused when it is called', async () => {
    const kernel = await testKernel({ tools: [{ ...echoTool(), execution: { type: 'htpt' } }] });
    const error = await rejection(kernel.execute('echo'), 'EXECUTOR_NOT_FOUND');
    expect(error.message).to.include('no plugin executes type "htpt"').and.to.include('Expected one of function');
  });

  it('looks at no problem again, and at some hundreds of the tools, for each name that is not there', () => {
    const tools = new Map(
      Array.from({ length: 3000 }, (_, n) => [`shelf_${n}`, { name: `shelf_${n}`, credentials: [] } as unknown as LinkedTool]),
    );
    let looked = 0;
    const problems = Array.from({ length: 3000 }, (_, n) => ({
      ...{ severity: 'error' as const, code: 'TOOL_INVALID' as const, plugin: 'test', message: 'is wrong' },
      get tool() {
        looked++;
        return `wrong_${n}`;
      },
    }));
    const registry = new Registry({ tools, problems });
    expect(() => registry.get('wrong_7')).to.throw('is wrong');
    const atFirst = looked;
    for (let n = 0; n < 10; n++)
      expect(() => registry.get('zzzzzz', () => ++looked > 0)).to.throw('There is no tool "zzzzzz". List the tools to see their names.');
    expect(looked - atFirst).to.be.at.most(10 * 300);
  });

  it('keeps the first of two tools with one name and names both owners', async () => {
    const other = definePlugin({
      name: 'other',
      apiVersion,
      apply: ({ hooks }) => hooks.discover.tap('other', (sink) => sink.addTool(echoTool(), { file: '/b.yaml' })),
    });
    const kernel = await testKernel({ tools: [echoTool()], plugins: [other()] });
    expect(kernel.registry.problems.map(formatProblem)).to.deep.equal([
      '/b.yaml name: the tool "echo" is already defined by plugin test-kit; that one is used. Rename one of the two (/b.yaml is the other)',
    ]);
  });

  const refused = [
    {
      title: 'a mistyped key',
      tool: http({ requires_aproval: true }),
      problem: 'requires_aproval: is not known here. Did you mean "requires_approval"?',
    },
    { title: 'camelCase for a known key', tool: http({ requiresApproval: true }), problem: 'Did you mean "requires_approval"?' },
    { title: 'a number as version', tool: http({ version: 1 }), problem: 'version: expected string, received number 1' },
    {
      title: 'a wrong risk',
      tool: http({ risk: 'hihg' }),
      problem: 'risk: expected one of "low", "medium", "high", received string "hihg"',
    },
    { title: 'a name with spaces', tool: http({ name: 'a b' }), problem: 'name: expected to match pattern' },
    {
      title: 'a mistyped parameter key',
      tool: http({ parameters: { p: { tpye: 'string' } } }),
      problem: 'parameters.p.tpye: is not known here. Did you mean "type"?',
    },
    {
      title: 'a mistyped execution key',
      tool: http({ execution: { type: 'http', method: 'get', ulr: 'https://x' } }),
      problem: 'execution.ulr: is not known here. Did you mean "url"?',
    },
    {
      title: 'a placeholder that nothing defines',
      tool: http({ execution: { type: 'http', method: 'get', url: 'https://x/{idd}' }, parameters: { id: { type: 'string' } } }),
      problem: 'uses the placeholder {idd}, which no parameter defines. Did you mean "id"?',
    },
    {
      title: 'a placeholder with a question mark',
      tool: http({
        execution: { type: 'http', method: 'get', url: 'https://x/', query_params: { limit: '{limit?}' } },
        parameters: { limit: { type: 'integer' } },
      }),
      problem: 'writes {limit?}, but a placeholder has no question mark. Write {limit}, and leave "required" out of the parameter',
    },
    {
      title: 'a credential with a question mark',
      tool: http({
        execution: { type: 'http', method: 'get', url: 'https://x/', headers: { Authorization: 'Bearer {SHOP_TOKEN?}' } },
      }),
      problem: 'writes {SHOP_TOKEN?}, but a placeholder has no question mark',
    },
    {
      title: 'an approval that no plugin enforces',
      tool: http({ requires_approval: true }),
      problem: 'requires_approval: is declared, but no plugin of this configuration enforces it',
    },
    {
      title: 'an approval for the value of a parameter that does not exist',
      tool: http({ parameters: { mode: {} }, requires_approval: { mod: 'delete' } }),
      problem: 'requires_approval.mod: names "mod", which is no parameter. Did you mean "mode"?',
    },
    {
      title: 'an approval map without an entry',
      tool: http({ requires_approval: {} }),
      problem: 'requires_approval: is empty',
    },
    {
      title: 'an approval for an empty list of values',
      tool: http({ parameters: { mode: {} }, requires_approval: { mode: [] } }),
      problem: 'requires_approval.mode: is an empty list. Name the values that need approval',
    },
    {
      title: 'an approval for a value that the enum does not have',
      tool: http({ parameters: { mode: { enum: ['GET', 'POST'] } }, requires_approval: { mode: ['POST', 'post'] } }),
      problem: 'requires_approval.mode: names a value that the parameter never has: expected one of "GET", "POST", received string "post"',
    },
    {
      title: 'an approval for a value of another type',
      tool: http({ parameters: { force: { type: 'boolean' } }, requires_approval: { force: 'true' } }),
      problem: 'requires_approval.force: names a value that the parameter never has: expected boolean, received string "true"',
    },
    {
      title: 'an approval for a member of a list',
      tool: http({ parameters: { to: { type: 'array' } }, requires_approval: { to: ['a'] } }),
      problem: 'requires_approval.to: names a value that the parameter never has: expected array, received string "a"',
    },
    {
      title: 'an approval for a value that the enum of an input schema does not have',
      tool: http({
        input_schema: { type: 'object', properties: { mode: { type: 'string', enum: ['a'] } } },
        requires_approval: { mode: 'b' },
      }),
      problem: 'requires_approval.mode: names a value that the parameter never has: expected one of "a", received string "b"',
    },
    {
      title: 'a path that no plugin confines',
      tool: http({ parameters: { p: { type: 'string', path: 'read' } } }),
      problem: 'parameters.p.path: is declared, but no plugin of this configuration confines paths',
    },
    {
      title: 'retry on an execution type without it',
      tool: echoTool({ retry: { attempts: 2 } }),
      problem: 'no plugin of this configuration enforces it for execution type "function"',
    },
  ];
  for (const { title, tool, problem } of refused) {
    it(`refuses ${title}`, async () => {
      const problems = await problemsOf(tool);
      expect(problems.filter((line) => line.startsWith('error')).join('\n')).to.include(problem);
    });
  }

  it('takes a question mark in braces for text where no parameter has the name, or the braces are double', async () => {
    const body = { pattern: '{other?}', shown: '{{limit?}}', limit: '{limit}' };
    const tool = http({ execution: { type: 'http', method: 'post', url: 'https://x/', body }, parameters: { limit: { type: 'integer' } } });
    expect(await problemsOf(tool)).to.deep.equal([]);
  });

  it('keeps a tool whose unknown key resembles nothing, without that key, and warns', async () => {
    const kernel = await testKernel({ plugins: [executorHttp()], tools: [http({ vendor_hint: 1, 'x-mine': 2 })] });
    expect(kernel.registry.problems.map(({ severity, path }) => `${severity} ${path}`)).to.deep.equal(['warning vendor_hint']);
    expect(kernel.registry.tools.get('call_it')?.definition).to.have.property('x-mine').and.not.equal(undefined);
    expect(kernel.registry.tools.get('call_it')?.definition).to.not.have.property('vendor_hint');
  });
});

describe('credentials of a tool', () => {
  const withPlaceholders = (parameters: Record<string, unknown>, header: string) =>
    http({ parameters, execution: { type: 'http', method: 'get', url: 'https://x', headers: { h: header } } });

  const cases = [
    { title: 'an undeclared name that sounds like one', parameters: {}, header: '{API_KEY}', credentials: ['API_KEY'], shown: [] },
    { title: 'an ordinary parameter', parameters: { city: { type: 'string' } }, header: '{city}', credentials: [], shown: ['city'] },
    {
      title: 'a declared name that sounds like one',
      parameters: { page_token: { type: 'string' } },
      header: '{page_token}',
      credentials: ['page_token'],
      shown: [],
    },
    {
      title: 'the same with auth: false',
      parameters: { page_token: { type: 'string', auth: false } },
      header: '{page_token}',
      credentials: [],
      shown: ['page_token'],
    },
    {
      title: 'an innocent name with auth: true',
      parameters: { account: { type: 'string', auth: true } },
      header: '{account}',
      credentials: ['account'],
      shown: [],
    },
  ];
  for (const { title, parameters, header, credentials, shown } of cases) {
    it(`treat ${title} as ${credentials.length > 0 ? 'a credential' : 'a parameter'}`, async () => {
      const kernel = await testKernel({ plugins: [executorHttp()], tools: [withPlaceholders(parameters, header)] });
      const tool = kernel.registry.tools.get('call_it');
      expect(tool?.credentials.map(({ name }) => name)).to.deep.equal(credentials);
      expect(Object.keys((tool?.inputSchema['properties'] ?? {}) as object)).to.deep.equal(shown);
    });
  }

  for (const name of ['page_token', 'API_TOKEN'])
    it(`warn about a declared name that the rule catches: ${name}`, async () => {
      const problems = await problemsOf(withPlaceholders({ [name]: { type: 'string' } }, `{${name}}`));
      expect(problems).to.have.length(1);
      expect(problems[0])
        .to.match(/^warning .*: is taken for a credential/)
        .and.include(`parameters.${name}`);
    });

  it('come from the mapping of the provider, whatever they are called', async () => {
    const provider = {
      provider: { name: 'acme' },
      base_url: 'https://{acme_host}',
      headers: { 'X-Account': '{account_id}' },
      parameter_mapping: [
        { parameter: 'acme_host', env_pattern: 'ACME_HOST' },
        { parameter: 'account_id', env_pattern: 'ACME_ACCOUNT_ID', required: false },
      ],
    };
    const kernel = await testKernel({
      plugins: [executorHttp()],
      providers: [provider],
      tools: [{ ...http({ execution: { type: 'http', method: 'get', url: '/things' } }), provider: 'acme' }],
    });
    const tool = kernel.registry.tools.get('call_it');
    expect(tool?.credentials).to.deep.equal([
      { name: 'acme_host', secret: 'ACME_HOST', required: true, isSecret: true },
      { name: 'account_id', secret: 'ACME_ACCOUNT_ID', required: false, isSecret: true },
    ]);
    expect(tool?.execution).to.include({ url: 'https://{acme_host}/things' });
  });

  it('are no client id of a provider, unless its mapping says so', async () => {
    const oauth2 = { auth_url: 'https://acme.example/a', token_url: 'https://acme.example/t', scopes: {}, client_id: `\${ACME_CLIENT_ID}` };
    const opened = async (more: object): Promise<readonly string[]> => {
      const providers = [{ provider: { name: 'acme' }, base_url: 'https://acme.example', oauth2, ...more }];
      const tools = [{ ...http({ execution: { type: 'http', method: 'get', url: '/things' } }), provider: 'acme' }];
      return [...(await testKernel({ plugins: [executorHttp()], providers, tools })).registry.openNames];
    };
    expect(await opened({})).to.deep.equal(['ACME_CLIENT_ID']);
    const secret = { parameter: 'ACME_CLIENT_ID', env_pattern: 'ACME_CLIENT_ID' };
    expect(await opened({ parameter_mapping: [secret] })).to.deep.equal([]);
  });

  it('are told from parameters by their true reason', async () => {
    const kernel = await testKernel({
      plugins: [executorHttp()],
      providers: [{ provider: { name: 'acme' }, parameter_mapping: [{ parameter: 'account', env_pattern: 'ACME_ACCOUNT' }] }],
      tools: [
        {
          ...http({
            parameters: { account: { type: 'string' }, page_token: { type: 'string' } },
            execution: { type: 'http', method: 'get', url: 'https://api.example', headers: { 'X-A': '{account}', 'X-B': '{page_token}' } },
          }),
          provider: 'acme',
        },
      ],
    });
    const [account, token] = kernel.registry.problems.map(({ message }) => message);
    expect(account).to.include("because of the provider's parameter_mapping, which names it: callers cannot give it");
    expect(token).to.include('because of its name: callers cannot give it');
  });
});

describe('a definition that a check fails on', () => {
  const failing = definePlugin({
    name: 'failing',
    apiVersion,
    apply: ({ hooks, extend }) => {
      extend.definitionKey('fragile', Type.Unknown(), {
        check: (value) => {
          (value as { readonly list: readonly unknown[] }).list.map(String);
          return [];
        },
      });
      hooks.discover.tap('failing', (sink) => {
        sink.addTool(echoTool({ name: 'bad', fragile: 1 }), { file: '/tools/bad.yaml' });
        sink.addSkill({ name: 'it', description: 'd' }, '', {
          file: '/skills/other/SKILL.md',
          locate: () => (undefined as never as string[])[0] as never,
        });
        sink.addSkill({ name: 'skills', description: 'd' }, '', { file: '/skills/SKILL.md' });
        sink.addProvider(
          { provider: { name: 7 } },
          { file: '/shop/definition.yaml', locate: () => (undefined as never as string[])[0] as never },
        );
      });
    },
  });

  it('is named, and the others load', async () => {
    const { registry } = await testKernel({ plugins: [failing()], tools: [echoTool()] });
    expect([...registry.tools.keys()]).to.deep.equal(['echo']);
    expect([...registry.skills.keys()]).to.deep.equal(['skills']);
    const told = registry.problems.map(({ file, severity, message }) => [file, severity, message.replace(/ Cannot read.*\)/, '')]);
    const fault = 'cannot be checked:. This is a fault of the program or of a plugin: report it with this definition';
    expect(told).to.have.deep.members([
      ['/tools/bad.yaml', 'error', fault],
      ['/skills/other/SKILL.md', 'error', fault],
      ['/shop/definition.yaml', 'error', fault],
    ]);
  });

  it('is told what the check fails with', async () => {
    const kernel = await testKernel({ plugins: [failing()], tools: [echoTool()] });
    const [problem] = kernel.check(echoTool({ name: 'bad', fragile: 1 }));
    expect(problem?.message).to.include('Cannot read properties of undefined');
  });
});

describe('advice about a definition', () => {
  it('is asked for when the tool would load, and told as warnings with their place', async () => {
    const kernel = await testKernel({ tools: [] });
    const asked: string[] = [];
    const advise: Advise = ({ name, inputSchema }, warn) => {
      asked.push(`${name} ${Object.keys(inputSchema['properties'] as object)}`);
      warn('/parameters/text', 'is short');
    };
    const locate = (): { line: number; column: number } => ({ line: 3, column: 5 });
    const definition = echoTool({ parameters: { text: { type: 'string' } } });
    const [problem, ...others] = kernel.check(definition, { locate }, advise);
    expect(others).to.deep.equal([]);
    expect(problem).to.include({ severity: 'warning', path: 'parameters.text', message: 'is short', tool: definition.name });
    expect(problem?.position).to.deep.equal({ line: 3, column: 5 });
    expect(kernel.check({ ...definition, name: 5 }, {}, advise).map(({ severity }) => severity)).to.deep.equal(['error']);
    expect(asked).to.deep.equal(['echo text']);
  });
});

describe('a definition that holds itself', () => {
  it('is refused, and the others load', async () => {
    const round: Record<string, unknown> = {};
    round['round'] = round;
    const { registry } = await testKernel({ tools: [echoTool(), echoTool({ name: 'bad', 'x-a': round })] });
    expect([...registry.tools.keys()]).to.deep.equal(['echo']);
    expect(registry.problems.map(({ message }) => message)).to.deep.equal([
      'holds something nested deeper than 64 levels. Make it smaller',
    ]);
  });
});

describe('a reload', () => {
  it('lets others in between, however many tools there are', async () => {
    const kernel = await testKernel({ tools: Array.from({ length: 30 }, (_, number) => echoTool({ name: `echo_${number}` })) });
    const { turns } = await turnsDuring(() => kernel.reload());
    expect(turns).to.be.within(2, 30);
  });

  it('is compared with what was there without holding up others', async () => {
    const kernel = await testKernel({ tools: Array.from({ length: 200 }, (_, number) => echoTool({ name: `echo_${number}` })) });
    const { turns, value } = await turnsDuring(() => kernel.fingerprints());
    expect([...value.keys()])
      .to.include('tool echo_199')
      .and.have.length(200);
    expect(turns).to.be.at.least(200 / 20);
  });

  it('swaps the registry, tells listeners, and keeps the last good definition of a broken file', async () => {
    let round = 0;
    const source = definePlugin({
      name: 'source',
      apiVersion,
      apply(api) {
        api.extend.execution('nothing', { schema: { type: 'object' } as never });
        api.hooks.discover.tap('source', (sink) => {
          round++;
          const tool = (name: string, more = {}) => ({ name, description: `round ${round}`, execution: { type: 'nothing' }, ...more });
          sink.addTool(tool('steady'), { file: '/steady.yaml' });
          sink.addTool(round === 1 ? tool('fragile') : tool('fragile', { risk: 'nonsense' }), { file: '/fragile.yaml' });
          if (round === 1) sink.addTool(tool('removed'), { file: '/removed.yaml' });
          else sink.addTool(tool('added'), { file: '/added.yaml' });
        });
      },
    });
    const kernel = await bareKernel({ plugins: [source()] });
    const heard: number[] = [];
    const stop = kernel.onReload((registry) => void heard.push(registry.tools.size));
    const before = kernel.registry;
    await kernel.reload();
    stop();
    await kernel.reload();
    expect([...before.tools.keys()]).to.deep.equal(['fragile', 'removed', 'steady']);
    expect([...kernel.registry.tools.keys()]).to.deep.equal(['added', 'fragile', 'steady']);
    expect(kernel.registry.tools.get('fragile')?.description).to.equal('round 1');
    expect(kernel.registry.tools.get('steady')?.description).to.equal('round 3');
    expect(heard).to.deep.equal([3]);
  });
});
