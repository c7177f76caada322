import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { startGitHub } from '../../fixtures/servers/github.ts';
import { forFile, type StdioClient, stdioClient, textOf } from './program.ts';
import { project } from './project.ts';

let sharing: Promise<StdioClient> | undefined;

/** One server, in a project, for the tests that only ask it. */
function shared(): Promise<StdioClient> {
  sharing ??= forFile(async () =>
    stdioClient(['--tool-paths', 'my-tools'], { cwd: await project(), env: { GITHUB_TOKEN: 'ghp_planted_secret_value' } }),
  );
  return sharing;
}

describe('toolkit mcp over stdio, with the official client', () => {
  it('lists the tools with schemas in which no credential appears', async () => {
    const { client } = await shared();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).to.include.members(['fs_read_file', 'git_log', 'time_now', 'web_fetch', 'system_execute']);
    expect(names).to.deep.equal([...names].sort());
    expect(names.filter((name) => name.startsWith('github_'))).to.have.length(22);
    expect(JSON.stringify(tools)).to.not.match(/GITHUB_TOKEN|ghp_planted/);
    const execute = tools.find(({ name }) => name === 'system_execute');
    expect(execute?.inputSchema.properties).to.have.property('_toolkit_approved');
    expect(execute?.annotations).to.include({ destructiveHint: true });
  });

  it('reads a real file, a real git repository, and runs a Python function', async () => {
    const { client } = await shared();
    const file = await client.callTool({ name: 'fs_read_file', arguments: { path: 'notes/héllo wörld.txt' } });
    expect(file.structuredContent).to.include({ content: 'Grüße\nzweite Zeile\n', encoding: 'utf8' });
    const log = await client.callTool({ name: 'git_log', arguments: {} });
    const { commits } = log.structuredContent as { commits: { subject: string; author: string }[] };
    expect(commits.map(({ subject, author }) => `${author}: ${subject}`)).to.deep.equal([
      'Ada Lovelace: Second: "quotes" & ünïcode',
      'Ada Lovelace: Add the notes',
    ]);
    const words = await client.callTool({ name: 'count_words', arguments: { text: 'eins zwei drei' } });
    expect(words.structuredContent).to.include({ words: 3 });
  });

  it('answers a call when plugins have done what they do before answers', async () => {
    const cwd = await project({
      'toolkit.config.mjs': `import { writeFile } from 'node:fs/promises';
        import { apiVersion, defineConfig, definePlugin, standard } from '@toolkit/core';
        let isHeld = false;
        const before = definePlugin({ name: 'before', apiVersion, apply({ hooks, extend }) {
          hooks.settled.tap('before', (end) => { isHeld ||= end.isHeld; });
          extend.beforeAnswers(async () => { if (isHeld) await writeFile('done.txt', 'done'); });
        } });
        export default defineConfig({ plugins: [standard(), before()] });`,
    });
    const { client, end } = await stdioClient([], { cwd });
    await client.callTool({ name: 'time_now', arguments: {} });
    expect(existsSync(path.join(cwd, 'done.txt'))).to.equal(true);
    await end();
  });

  it('calls a GitHub tool with the injected credential, which shows up nowhere', async () => {
    const token = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB';
    const github = await startGitHub({ token });
    try {
      const cwd = await project({
        'toolkit.config.mjs': `import { defineConfig, standard } from '@toolkit/core';
          export default defineConfig({ logLevel: 'debug', plugins: [standard({ providers: { github: { base_url: '${github.url}' } } })] });`,
      });
      const { client, end } = await stdioClient([], { cwd, env: { GITHUB_TOKEN: token, TOOLKIT_LOG_LEVEL: 'debug' } });
      const { tools } = await client.listTools();
      const results: unknown[] = [];
      results.push(await client.callTool({ name: 'github_get_repository', arguments: { owner: 'octo', repo: 'hello' } }));
      expect(github.requests.length).to.be.greaterThan(0);
      expect(github.requests[0]?.headers.authorization).to.equal(`Bearer ${token}`);
      expect(textOf(results[0])).to.include('hello');
      const forged = await client.callTool({
        name: 'github_get_repository',
        arguments: { owner: 'octo', repo: 'hello', GITHUB_TOKEN: 'mine' },
      });
      expect(forged.isError).to.equal(true);
      const log = await end();
      const base64 = Buffer.from(token).toString('base64').slice(0, 30);
      expect(JSON.stringify([tools, results, forged, log]))
        .to.not.include(token)
        .and.not.include(base64);
      expect(log).to.match(/secret resolved .*GITHUB_TOKEN.*secrets-env/);
    } finally {
      await github.close();
    }
  });

  it('keeps standard output for the protocol whatever a tool prints', async () => {
    const { client, end } = await stdioClient(['--tool-paths', 'my-tools', '--tools', 'chatter'], { cwd: await project() });
    expect(textOf(await client.callTool({ name: 'chatter', arguments: {} }))).to.equal('done');
    expect(await end())
      .to.include('raw noise')
      .and.to.include('forged');
  });

  it('holds a gated tool until the flag says that a person approved', async () => {
    const { client } = await shared();
    const call = { name: 'system_execute', arguments: { command: process.execPath, arguments: ['-e', 'process.stdout.write("ran")'] } };
    const held = await client.callTool(call);
    expect(held.isError).to.equal(true);
    expect(JSON.stringify(held.content)).to.include('APPROVAL_REQUIRED').and.to.include('_toolkit_approved');
    expect(held._meta).to.have.nested.property('toolkit/error.code', 'APPROVAL_REQUIRED');
    const ran = await client.callTool({ ...call, arguments: { ...call.arguments, _toolkit_approved: true } });
    expect(ran.structuredContent).to.include({ stdout: 'ran', exit_code: 0 });
  });

  const failures = [
    {
      title: 'wrong parameters, all problems at once',
      call: { name: 'fs_read_file', arguments: { pth: 'x', offset: -1 } },
      says: ['INVALID_PARAMETERS', 'path is required', 'Did you mean \\"path\\"', 'offset expected'],
    },
    {
      title: 'a path that leaves the roots',
      call: { name: 'fs_read_file', arguments: { path: '../../etc/passwd' } },
      says: ['INVALID_PARAMETERS', 'expected a path inside'],
    },
    { title: 'a file that is not there', call: { name: 'fs_read_file', arguments: { path: 'no.txt' } }, says: ['NOT_FOUND', 'no.txt'] },
  ];
  it('answers wrong calls with results that say what to do', async () => {
    const { client } = await shared();
    for (const { title, call, says } of failures) {
      const result = await client.callTool(call);
      expect(result.isError, title).to.equal(true);
      for (const text of says) expect(JSON.stringify(result.content), title).to.include(text);
    }
    const unknown = await client.callTool({ name: 'fs_raed_file', arguments: {} }).catch((error: Error & { code?: number }) => error);
    expect(unknown).to.include({ code: -32602 });
    expect(String(unknown)).to.include('Did you mean "fs_read_file"');
  });

  it('offers the allowlist less the denylist, with wildcards', async () => {
    const { client } = await stdioClient(['--tools', 'fs_re*,time_now', '--exclude', 'fs_rep*'], { cwd: await project() });
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal([
      'fs_read_file',
      'fs_read_lines',
      'fs_read_many',
      'time_now',
      'toolkit_get_output',
    ]);
  });
});
