import { inspect } from 'node:util';
import { expect } from 'chai';
import { revealSecret } from '../../../../kernel/index.ts';
import { importServers } from '../../../../plugins/upstreams/import/import-servers.ts';
import { rejection } from '../../../support/rejection.ts';

/** A made-up value that no other text has. */
const planted = 'sk-plantedQ7w8E9r0T1y2U3i4O5';

interface Case {
  readonly client: string;
  readonly file?: string;
  readonly text: string;
  readonly servers: Readonly<Record<string, unknown>>;
  /** Values of secrets by name; undefined for one that the user must give. */
  readonly secrets?: Readonly<Record<string, string | undefined>>;
  readonly refused?: Readonly<Record<string, RegExp>>;
}

const json = (value: unknown): string => JSON.stringify(value);

const cases: readonly Case[] = [
  {
    client: 'Claude Desktop',
    text: json({
      mcpServers: {
        files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/tmp/a'] },
        github: { command: 'npx', args: ['-y', 'gh'], env: { GITHUB_TOKEN: planted, LOG_LEVEL: 'debug', GITHUB_AUTH: 'true' } },
      },
    }),
    servers: {
      files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/tmp/a'] },
      github: { command: 'npx', args: ['-y', 'gh'], env: { GITHUB_TOKEN: '{GITHUB_TOKEN}', LOG_LEVEL: 'debug', GITHUB_AUTH: 'true' } },
    },
    secrets: { GITHUB_TOKEN: planted },
  },
  {
    client: 'Claude Code, with the servers of projects',
    text: json({
      mcpServers: { a: { type: 'http', url: 'https://a.test/mcp', headers: { Authorization: `Bearer ${planted}` } } },
      projects: {
        '/x': { mcpServers: { b: { type: 'sse', url: 'https://b.test/sse' }, c: { command: 'c' } } },
        '/y': { mcpServers: { b: { type: 'sse', url: 'https://b.test/sse' }, c: { command: 'other' } } },
      },
    }),
    servers: {
      a: { transport: 'http', url: 'https://a.test/mcp', headers: { Authorization: 'Bearer {A_AUTHORIZATION}' } },
      b: { transport: 'sse', url: 'https://b.test/sse' },
    },
    secrets: { A_AUTHORIZATION: planted },
    refused: { c: /stands there several times, with different settings/ },
  },
  {
    client: 'Cursor, with comments',
    text: `{\n  // mine\n  "mcpServers": { "My Server!": { "command": "x", "env": { "KEY": "\${env:MY_KEY}", "N": 3 } }, },\n}`,
    servers: { 'my-server': { command: 'x', env: { KEY: '{MY_KEY}', N: '3' } } },
    secrets: { MY_KEY: undefined },
  },
  {
    client: 'VS Code',
    text: json({
      inputs: [{ type: 'promptString', id: 'api-key', description: 'Key', password: true }],
      servers: {
        v: { type: 'stdio', command: 'v', env: { V_KEY: `\${input:api-key}` } },
        w: { type: 'stdio', command: 'w', cwd: `\${workspaceFolder}` },
      },
    }),
    servers: { v: { command: 'v', env: { V_KEY: '{API_KEY}' } } },
    secrets: { API_KEY: undefined },
    refused: { w: /has a "cwd" that only the client can fill in/ },
  },
  {
    client: 'VS Code, in its settings',
    text: json({ 'editor.tabSize': 2, mcp: { servers: { v: { url: 'http://127.0.0.1:3000/mcp' } } } }),
    servers: { v: { url: 'http://127.0.0.1:3000/mcp' } },
  },
  {
    client: 'Windsurf',
    text: json({
      mcpServers: {
        w: { serverUrl: 'https://w.test/mcp', headers: { 'X-Api-Key': `\${env:W_KEY}` }, disabledTools: ['drop'] },
        off: { command: 'x', disabled: true },
      },
    }),
    servers: { w: { url: 'https://w.test/mcp', headers: { 'X-Api-Key': '{W_KEY}' }, tools: { exclude: ['drop'] } } },
    secrets: { W_KEY: undefined },
    refused: { off: /is switched off in the client/ },
  },
  {
    client: 'Zed',
    text: json({
      theme: 'One',
      context_servers: {
        z: { source: 'custom', command: 'z', args: [], env: {} },
        old: { command: { path: 'o', args: ['--stdio'], env: { O_SECRET: planted } } },
        extension: { settings: {} },
      },
    }),
    servers: { z: { command: 'z' }, old: { command: 'o', args: ['--stdio'], env: { O_SECRET: '{OLD_O_SECRET}' } } },
    secrets: { OLD_O_SECRET: planted },
    refused: { extension: /has neither "command" nor "url"/ },
  },
  {
    client: 'Gemini CLI',
    text: json({
      mcpServers: {
        g: {
          httpUrl: 'https://g.test/mcp',
          headers: { Authorization: 'Bearer $G_TOKEN' },
          timeout: 5000,
          includeTools: ['read'],
          trust: true,
        },
      },
    }),
    servers: {
      g: {
        transport: 'http',
        url: 'https://g.test/mcp',
        headers: { Authorization: 'Bearer {G_TOKEN}' },
        timeoutMs: 5000,
        tools: { include: ['read'] },
      },
    },
    secrets: { G_TOKEN: undefined },
  },
  {
    client: 'Codex',
    file: 'config.toml',
    text: `model = "x"\n[mcp_servers.c]\ncommand = "c"\nargs = ["-y"]\nenv_vars = ["C_KEY"]\ntool_timeout_sec = 20\n[mcp_servers.c.env]\nC_TOKEN = "${planted}"\n[mcp_servers.h]\nurl = "https://h.test/mcp"\nbearer_token_env_var = "H_TOKEN"\n`,
    servers: {
      c: { command: 'c', args: ['-y'], env: { C_KEY: '{C_KEY}', C_TOKEN: '{C_TOKEN}' }, timeoutMs: 20_000 },
      h: { url: 'https://h.test/mcp', headers: { Authorization: 'Bearer {H_TOKEN}' } },
    },
    secrets: { C_KEY: undefined, C_TOKEN: planted, H_TOKEN: undefined },
  },
  {
    client: 'a client with mcp-remote',
    text: json({
      mcpServers: {
        r: {
          command: 'npx',
          args: ['-y', 'mcp-remote', 'https://r.test/mcp', '--header', `Authorization:\${AUTH}`],
          env: { AUTH: `Bearer ${planted}` },
        },
      },
    }),
    servers: { r: { url: 'https://r.test/mcp', headers: { Authorization: 'Bearer {R_AUTHORIZATION}' } } },
    secrets: { R_AUTHORIZATION: planted },
  },
  {
    client: 'a client with Docker',
    text: json({ mcpServers: { d: { command: 'docker', args: ['run', '-i', '-e', `D_TOKEN=${planted}`, '-e', 'LEVEL=1', 'image'] } } }),
    servers: { d: { command: 'docker', args: ['run', '-i', '-e', 'D_TOKEN', '-e', 'LEVEL=1', 'image'], env: { D_TOKEN: '{D_TOKEN}' } } },
    secrets: { D_TOKEN: planted },
  },
  {
    client: 'a client with braces in a value',
    text: json({ mcpServers: { b: { command: 'b', env: { SHAPE: '{"a":{id}}', ODD: '{{id}}' } } } }),
    servers: { b: { command: 'b', env: { SHAPE: '{"a":{{id}}}', ODD: '{{{id}}}' } } },
  },
  {
    client: 'a client with names that are equal here',
    text: json({ mcpServers: { 'A b': { command: 'a' }, 'a-b': { command: 'b' }, 数据: { command: 'c' } } }),
    servers: { 'a-b-a760b0': { command: 'a' }, 'a-b-d44362': { command: 'b' }, mcp: { command: 'c' } },
  },
];

const misplacedSecrets: readonly [what: string, server: Readonly<Record<string, unknown>>][] = [
  ['an argument of a flag', { command: 'x', args: ['--api-key', 'abcdefgh'] }],
  ['an argument with its flag', { command: 'x', args: [`--token=${planted}`] }],
  ['an argument by its look', { command: 'x', args: [planted] }],
  ['an argument of a connection', { command: 'x', args: ['postgresql://me:hidden@db.test/a'] }],
  ['the query of an address', { url: 'https://x.test/mcp?api_key=abcdefgh' }],
  ['the user of an address', { url: 'https://me:hidden@x.test/mcp' }],
  ['the path of an address', { url: `https://x.test/s/${planted}/mcp` }],
];

describe('the import of MCP servers', () => {
  for (const { client, file = 'mcp.json', text, servers, secrets = {}, refused = {} } of cases)
    it(`takes the servers of ${client}`, async () => {
      const result = await importServers(text, file);
      const found = Object.fromEntries(result.servers);
      expect(found).to.deep.equal(servers);
      expect(Object.fromEntries(result.secrets.map(({ name, value }) => [name, value && revealSecret(value)]))).to.deep.equal(secrets);
      expect(result.refused.map(({ name }) => name)).to.deep.equal(Object.keys(refused));
      for (const { name, reason } of result.refused) expect(reason).to.match(refused[name] ?? /never/);
      expect(inspect(result, { depth: 10 }) + json(result)).to.not.include(planted);
    });

  for (const [what, server] of misplacedSecrets)
    it(`names a server with a secret in ${what}, and shows nothing of it`, async () => {
      const { servers, refused } = await importServers(json({ mcpServers: { s: server } }), 'mcp.json');
      expect(servers.size).to.equal(0);
      expect(refused[0]?.reason).to.match(/looks like a secret/);
      expect(json(refused)).to.not.match(/planted|hidden|abcdefgh/);
    });

  const broken: readonly [what: string, file: string, text: string, message: RegExp][] = [
    ['a file that is not JSON', 'a.json', `{"mcpServers": {"a": ${planted}`, /a\.json cannot be read: it is not JSON, line 1/],
    ['a file that is not TOML', 'a.toml', `[mcp_servers\nkey = "${planted}"`, /a\.toml cannot be read: it is not TOML, line 1/],
    ['a list', 'a.json', `["${planted}"]`, /expected an object with servers/],
    ['a file without servers', 'a.json', `{"key": "${planted}"}`, /a\.json has no MCP servers: expected "mcpServers"/],
    ['a deeply nested file', 'a.json', `${'['.repeat(100_000)}`, /a\.json cannot be read/],
  ];
  for (const [what, file, text, message] of broken)
    it(`refuses ${what} without showing its text`, async () => {
      const error = await rejection(importServers(text, file), 'CONFIG_INVALID');
      expect(error.message).to.match(message).and.not.include('planted');
    });

  it('names entries that are no servers, and changes no prototype', async () => {
    const { servers, refused } = await importServers(
      '{"mcpServers":{"a":3,"b":{"command":{}},"c":{"url":"ftp://x"},"__proto__":{"command":"p"}}}',
      'a.json',
    );
    expect(Object.fromEntries(servers)).to.deep.equal({ proto: { command: 'p' } });
    expect(refused.map(({ name }) => name)).to.deep.equal(['a', 'b', 'c']);
    expect(({} as Record<string, unknown>)['command']).to.equal(undefined);
  });
});
