import { expect } from 'chai';
import { clients } from '../../../../../plugins/mcp/commands/setup/clients/clients.ts';
import { approvalAdvice, httpAdvice } from '../../../../../plugins/mcp/commands/setup/configurations.ts';
import { type Choices, planOf } from '../../../../../plugins/mcp/commands/setup/plan.ts';
import type { Project } from '../../../../../plugins/mcp/commands/setup/project.ts';
import { listingReport } from '../../../../../plugins/mcp/commands/setup/report/listing-report.ts';
import { secretAdvice } from '../../../../../plugins/mcp/commands/setup/report/report.ts';
import type { Scan, ToolGroup, Variable } from '../../../../../plugins/mcp/commands/setup/scan.ts';
import type { McpOptions } from '../../../../../plugins/mcp/options.ts';

const program = ['/usr/bin/node', '--', '/opt/toolkit/main.js'];

const group = (name: string, tools: readonly string[], variables: readonly Variable[] = []): ToolGroup => ({
  name,
  tools,
  scopes: [],
  variables,
});

const slack = group(
  'slack',
  ['slack_list', 'slack_send'],
  [
    { name: 'SLACK_BOT_TOKEN', isRequired: true, isSecret: true, alternatives: [] },
    { name: 'SLACK_HOST', isRequired: false, isSecret: false, alternatives: [] },
  ],
);
const github = group(
  'github',
  ['github_list'],
  [{ name: 'GITHUB_TOKEN', isRequired: true, isSecret: true, alternatives: [], source: 'env' }],
);

/** Each tool takes 100 tokens, and 50 less where the server asks the person itself. */
const listSizes: Scan['listSizes'] = (chosen, proof) => ({
  all: { tools: chosen.length, tokens: chosen.length * (proof === 'none' ? 50 : 100) },
  search: { tools: 4, tokens: 700 },
});

interface Made {
  readonly server?: McpOptions;
  readonly resolvers?: readonly string[];
  readonly saysApproval?: boolean;
  readonly saysExposure?: boolean;
  readonly canSearch?: boolean;
}

function project({ server = {}, resolvers = ['env'], saysApproval = false, saysExposure = false, canSearch = true }: Made = {}): Project {
  const groups = [github, slack];
  const isUnsaid = resolvers.every((resolver) => resolver === 'env');
  return {
    folder: '/srv/shop',
    scan: {
      groups,
      known: groups.flatMap(({ tools }) => tools),
      gated: ['slack_send'],
      configuresApproval: saysApproval,
      canSearch,
      server,
      listSizes,
    },
    resolvers,
    configuresExposure: saysExposure,
    ...(isUnsaid || resolvers.includes('dotenv') ? { envFile: { file: '/srv/shop/.env', isConfigured: !isUnsaid } } : {}),
  };
}

const choices: Choices = { groups: [github, slack], clients, transports: ['stdio'], usesDotenv: false, name: 'toolkit' };

describe('the plan of a setup', () => {
  const addresses: { server: McpOptions; url: string }[] = [
    { server: {}, url: 'http://127.0.0.1:3000/mcp' },
    { server: { port: 8080, host: 'shop.example' }, url: 'http://shop.example:8080/mcp' },
    { server: { host: '0.0.0.0' }, url: 'http://127.0.0.1:3000/mcp' },
    { server: { host: '::1' }, url: 'http://[::1]:3000/mcp' },
    { server: { selfSigned: true }, url: 'https://127.0.0.1:3000/mcp' },
    { server: { certPath: 'a.pem' }, url: 'https://127.0.0.1:3000/mcp' },
  ];
  for (const { server, url } of addresses) {
    it(`reaches the server of ${JSON.stringify(server)} at ${url}`, () => {
      expect(planOf(project({ server }), choices, program).url).to.equal(url);
    });
  }

  it('names tools only where some are left out', () => {
    expect(planOf(project(), choices, program).launches.stdio.args).not.to.include('--tools');
    const { launches, tools } = planOf(project(), { ...choices, groups: [slack] }, program);
    expect(launches.stdio.args.slice(3)).to.deep.equal(['--tools', 'slack_*', '--expose', 'auto']);
    expect(tools).to.equal(2);
  });

  it('shows the command line for HTTP, ready for a shell', () => {
    const plan = planOf(project(), { ...choices, groups: [slack], transports: ['http'] }, program);
    expect(httpAdvice(plan, 'linux')).to.include(
      "  /usr/bin/node -- /opt/toolkit/main.js mcp --transport http --tools 'slack_*' --expose auto --cwd /srv/shop\n",
    );
  });

  it('has the server read the file of secrets where the configuration does not say so', () => {
    const argsWith = (resolvers: readonly string[]) =>
      planOf(project({ resolvers }), { ...choices, usesDotenv: true }, program).launches.stdio.args;
    expect(argsWith(['env']).join(' ')).to.include('--secrets env,dotenv --env-file /srv/shop/.env');
    expect(argsWith(['env', 'dotenv'])).not.to.include('--secrets');
  });
});

describe('the exposure of a setup', () => {
  const many = group(
    'many',
    Array.from({ length: 120 }, (_none, index) => `many_${index}`),
  );
  const planWith = (made: Made, groups: readonly ToolGroup[]) => planOf(project(made), { ...choices, groups }, program);
  const flagOf = (made: Made): string | undefined => {
    const { args } = planWith(made, [slack]).launches.stdio;
    return args.includes('--expose') ? args[args.indexOf('--expose') + 1] : undefined;
  };

  const flags: { title: string; made: Made; flag: string | undefined }[] = [
    { title: 'auto', made: {}, flag: 'auto' },
    { title: 'left to a configuration that says it', made: { saysExposure: true, server: { expose: 'search' } }, flag: undefined },
    { title: 'left alone where there is no tool to search with', made: { canSearch: false }, flag: undefined },
  ];
  for (const { title, made, flag } of flags) it(`is ${title}`, () => expect(flagOf(made)).to.equal(flag));

  const exposures: { title: string; made?: Made; groups: readonly ToolGroup[]; all: readonly string[] }[] = [
    { title: 'few tools', groups: [slack], all: clients.map(({ name }) => name) },
    // Where the server asks the person itself, the list is shorter: 6,000 tokens and not 12,000.
    { title: '120 tools of 12,000 tokens', groups: [many], all: ['claude-code', 'vscode'] },
    {
      title: '120 tools, all by the configuration',
      made: { server: { expose: 'all' }, saysExposure: true },
      groups: [many],
      all: clients.map(({ name }) => name),
    },
    {
      title: 'few tools, search by the configuration',
      made: { server: { expose: 'search' }, saysExposure: true },
      groups: [slack],
      all: [],
    },
    { title: '120 tools without one to search with', made: { canSearch: false }, groups: [many], all: clients.map(({ name }) => name) },
  ];
  for (const { title, made = {}, groups, all } of exposures)
    it(`of ${title} lists all to ${all.join(', ') || 'nobody'}`, () => {
      const plan = planWith(made, groups);
      expect(clients.filter((client) => plan.exposureOf(client) === 'all').map(({ name }) => name)).to.deep.equal(all);
    });

  it('is told with the figures, and with the limits of the clients', () => {
    expect(listingReport(planWith({}, [many]), clients)).to.equal(
      `Listing 120 tools takes about 12,000 tokens of a model's context; the 4 that find and call the others take about 700.
All are listed to Claude Code (searches tools itself), VS Code (takes 128 at most, of all servers).
Only those few are listed to Claude Desktop, Cursor (takes 40 at most, of all servers), Windsurf (takes 100 at most, of all servers), Other clients, where all can be called.
`,
    );
  });

  it('is told where a client does not take them all', () => {
    const report = listingReport(planWith({ server: { expose: 'all' }, saysExposure: true }, [many]), clients);
    expect(report)
      .to.include('\nCursor does not take them all: choose fewer with --providers, or let')
      .and.to.include('\nWindsurf does not take');
    expect(report).not.to.include('VS Code does not');
    expect(listingReport(planWith({ canSearch: false }, [many]), clients)).to.include(
      'Cursor does not take them all: choose fewer with --providers.\n',
    );
  });
});

describe('the advice on what is missing', () => {
  const advice = (own: Partial<Choices>, resolvers?: readonly string[]): string =>
    secretAdvice(planOf(project({ ...(resolvers === undefined ? {} : { resolvers }) }), { ...choices, ...own }, program));

  it('is nothing where nothing is', () => {
    expect(advice({ groups: [group('free', ['free'])] })).to.equal('');
    expect(advice({ groups: [github], transports: ['http'] }), 'a person starts it, from this shell').to.equal('');
  });

  it('counts what only this shell has, because a client does not start the server from it', () => {
    expect(advice({ groups: [github] })).to.match(/^A client may start the server without the variables of this shell \(GITHUB_TOKEN\)\./);
  });

  const places: { title: string; resolvers?: readonly string[]; usesDotenv?: boolean; says: string }[] = [
    { title: 'the file that the server will read', says: 'Write them into /srv/shop/.env, each as NAME=value, and run this again' },
    { title: 'the file that it reads', usesDotenv: true, says: 'Write them into /srv/shop/.env, each as NAME=value. Or put' },
    {
      title: 'the file of the configuration',
      resolvers: ['env', 'dotenv'],
      says: 'Write them into /srv/shop/.env, each as NAME=value. Or put',
    },
    {
      title: 'the store of the configuration',
      resolvers: ['vault', 'env'],
      says: 'Put them where the server looks (vault, env).',
    },
  ];
  for (const { title, resolvers, usesDotenv = false, says } of places) {
    it(`names ${title}`, () => {
      const text = advice({ groups: [slack], usesDotenv }, resolvers);
      expect(text).to.include('Still missing: SLACK_BOT_TOKEN. ').and.to.include(says);
      expect(text).not.to.include('SLACK_HOST');
    });
  }
});

describe('the approval of a setup', () => {
  const named = (...names: readonly string[]) => clients.filter(({ name }) => names.includes(name));
  const argsOf = (name: string, saysApproval = false): readonly string[] => {
    const plan = planOf(project({ saysApproval }), { ...choices, name: 'own' }, program);
    const [client] = named(name);
    if (client === undefined) throw new Error(name);
    const { entry } = plan.entryOf(client, 'stdio');
    return entry['args'] as readonly string[];
  };

  for (const [name, asks] of Object.entries({
    'claude-code': true,
    cursor: true,
    vscode: true,
    'claude-desktop': false,
    windsurf: false,
    generic: false,
  }))
    it(`is ${asks ? 'asked of the person' : 'left to the default'} for ${name}`, () => {
      expect(argsOf(name).slice(-2).join(' ') === '--approval elicit').to.equal(asks);
    });

  it('is left to a configuration that says it', () => {
    expect(argsOf('cursor', true)).not.to.include('--approval');
    const plan = planOf(project({ saysApproval: true }), choices, program);
    expect(approvalAdvice(plan, clients, ['stdio'])).to.equal('');
  });

  it('is asked over HTTP where every client that shares the server can ask', () => {
    const http = (...names: readonly string[]): readonly string[] =>
      planOf(project(), { ...choices, clients: named(...names), transports: ['http'] }, program).launches.http.args;
    expect(http('cursor', 'vscode')).to.include('--approval');
    expect(http('cursor', 'windsurf')).not.to.include('--approval');
  });

  it('is said for each client: who is asked, and where the word of the model is enough', () => {
    const plan = planOf(project(), choices, program);
    const text = approvalAdvice(plan, clients, ['stdio']);
    expect(text).to.match(
      /^1 of these tools needs approval\.\nClaude Code \(from 2\.1\.76\), Cursor \(from 1\.5\), VS Code \(from 1\.102\): the server asks you/,
    );
    expect(text).to.match(/\nClaude Desktop, Windsurf, Other clients: .* the model itself says that you agreed\. Leave them out/);
    const none = planOf(project(), { ...choices, groups: [github] }, program);
    expect(approvalAdvice(none, clients, ['stdio'])).to.equal('');
  });
});
