import { expect } from 'chai';
import { clients } from '../../../../../plugins/cli/commands/mcp-setup/clients/clients.ts';
import { approvalAdvice, httpAdvice, toolLimits } from '../../../../../plugins/cli/commands/mcp-setup/configurations.ts';
import { type Choices, planOf } from '../../../../../plugins/cli/commands/mcp-setup/plan.ts';
import type { Project } from '../../../../../plugins/cli/commands/mcp-setup/project.ts';
import { secretAdvice } from '../../../../../plugins/cli/commands/mcp-setup/report/report.ts';
import type { ServerOptions, ToolGroup, Variable } from '../../../../../plugins/cli/commands/mcp-setup/scan.ts';

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
    { name: 'SLACK_BOT_TOKEN', isRequired: true },
    { name: 'SLACK_HOST', isRequired: false },
  ],
);
const github = group('github', ['github_list'], [{ name: 'GITHUB_TOKEN', isRequired: true, source: 'env' }]);

function project(server: ServerOptions = {}, resolvers: readonly string[] = ['env'], saysApproval = false): Project {
  const groups = [github, slack];
  return {
    folder: '/srv/shop',
    scan: { groups, known: groups.flatMap(({ tools }) => tools), gated: ['slack_send'], saysApproval, server },
    resolvers,
  };
}

const choices: Choices = { groups: [github, slack], clients, transports: ['stdio'], usesDotenv: false, name: 'toolkit' };

describe('the plan of a setup', () => {
  const addresses: { server: ServerOptions; url: string }[] = [
    { server: {}, url: 'http://127.0.0.1:3000/mcp' },
    { server: { port: 8080, host: 'shop.example' }, url: 'http://shop.example:8080/mcp' },
    { server: { host: '0.0.0.0' }, url: 'http://127.0.0.1:3000/mcp' },
    { server: { host: '::1' }, url: 'http://[::1]:3000/mcp' },
    { server: { selfSigned: true }, url: 'https://127.0.0.1:3000/mcp' },
    { server: { certPath: 'a.pem' }, url: 'https://127.0.0.1:3000/mcp' },
  ];
  for (const { server, url } of addresses) {
    it(`reaches the server of ${JSON.stringify(server)} at ${url}`, () => {
      expect(planOf(project(server), choices, program).url).to.equal(url);
    });
  }

  it('names tools only where some are left out', () => {
    expect(planOf(project(), choices, program).launches.stdio.args).not.to.include('--tools');
    const { launches, tools } = planOf(project(), { ...choices, groups: [slack] }, program);
    expect(launches.stdio.args.slice(-2)).to.deep.equal(['--tools', 'slack_*']);
    expect(tools).to.equal(2);
  });

  it('shows the command line for HTTP, ready for a shell', () => {
    const plan = planOf(project(), { ...choices, groups: [slack], transports: ['http'] }, program);
    expect(httpAdvice(plan, 'linux')).to.include(
      "  /usr/bin/node -- /opt/toolkit/main.js mcp --transport http --tools 'slack_*' --cwd /srv/shop\n",
    );
  });

  it('says where a client takes fewer tools than there are', () => {
    const many = group(
      'many',
      Array.from({ length: 101 }, (_none, index) => `many_${index}`),
    );
    expect(toolLimits(planOf(project(), { ...choices, groups: [many] }, program), clients)).to.equal(
      'Windsurf takes at most 100 tools, and these are 101: choose fewer with --providers.\n',
    );
    expect(toolLimits(planOf(project(), choices, program), clients)).to.equal('');
  });
});

describe('the advice on what is missing', () => {
  const advice = (own: Partial<Choices>, resolvers?: readonly string[]): string =>
    secretAdvice(planOf(project({}, resolvers), { ...choices, ...own }, program));

  it('is nothing where nothing is', () => {
    expect(advice({ groups: [group('free', ['free'])] })).to.equal('');
    expect(advice({ groups: [github], transports: ['http'] }), 'a person starts it, from this shell').to.equal('');
  });

  it('counts what only this shell has, because a client does not start the server from it', () => {
    expect(advice({ groups: [github] })).to.match(/^A client may start the server without the variables of this shell \(GITHUB_TOKEN\)\./);
  });

  const places: { title: string; resolvers?: readonly string[]; usesDotenv?: boolean; says: string }[] = [
    { title: 'the file that the server will read', says: 'Write them into /srv/shop/.env, each as NAME=value, and run this again' },
    { title: 'the file that it reads', usesDotenv: true, says: 'Write them into /srv/shop/.env, each as NAME=value. The' },
    {
      title: 'the file of the configuration',
      resolvers: ['env', 'dotenv'],
      says: 'Write them into /srv/shop/.env, each as NAME=value. The',
    },
    {
      title: 'the store of the configuration',
      resolvers: ['vault', 'env'],
      says: 'Put them into the secret store of the configuration (vault, env).',
    },
  ];
  for (const { title, resolvers, usesDotenv = false, says } of places) {
    it(`names ${title}`, () => {
      const text = advice({ groups: [slack], usesDotenv }, resolvers);
      expect(text).to.include('Still to be supplied: SLACK_BOT_TOKEN. ').and.to.include(says);
      expect(text).not.to.include('SLACK_HOST');
    });
  }
});

describe('the approval of a setup', () => {
  const named = (...names: readonly string[]) => clients.filter(({ name }) => names.includes(name));
  const argsOf = (name: string, saysApproval = false): readonly string[] => {
    const plan = planOf(project({}, ['env'], saysApproval), { ...choices, name: 'own' }, program);
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
    const plan = planOf(project({}, ['env'], true), choices, program);
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
