import { expect } from 'chai';
import type { ServerEntry } from '../../../../../../plugins/mcp/commands/setup/clients/clients.ts';
import { fileDiff } from '../../../../../../plugins/mcp/commands/setup/clients/file-diff.ts';
import { noTerminal } from '../../../../../support/invocation.ts';

const server: ServerEntry = { key: 'mcpServers', name: 'toolkit', entry: { command: 'node', env: { TOOLKIT_CWD: '/new' } } };

const json = (value: unknown): string => JSON.stringify(value, null, 2);

describe("the diff of a client's file", () => {
  it('shows what changes, and no value that may be a secret', async () => {
    const other = { command: 'npx', args: ['--key', 'sk-1'], env: { KEY: 'sk-2' }, headers: { Authorization: 'Bearer sk-3' } };
    const former = { command: 'old', args: ['--token', 'sk-4', '--tools', 'a'], env: { TOOLKIT_CWD: '/old', SLACK_BOT_TOKEN: 'sk-5' } };
    const before = json({ apiKey: 'sk-6', mcpServers: { other, toolkit: former }, after: 'sk-7' });
    const after = json({ apiKey: 'sk-6', mcpServers: { other, toolkit: server.entry }, after: 'sk-7' });
    const diff = await fileDiff(noTerminal, before, after, server);
    expect(diff).not.to.include('sk-');
    expect(diff.split('\n')).to.include.members([
      '-      "command": "old",',
      '-        "--token",',
      '-        "***",',
      '-        "a"',
      '-        "TOOLKIT_CWD": "/old",',
      '-        "SLACK_BOT_TOKEN": "***"',
      '+      "command": "node",',
      '+        "TOOLKIT_CWD": "/new"',
    ]);
  });

  it('shows characters that would steer a terminal as escapes', async () => {
    const diff = await fileDiff(noTerminal, '{\n  "\u009b2J\u202e": 1\n}', json({ mcpServers: { toolkit: server.entry } }), server);
    expect(diff).to.include('-  "\\u009b2J\\u202e": 1');
  });

  it('shows no comment: a server that was commented out has its keys there', async () => {
    const before = '{\n  // "KEY": "sk-1"\n  /* "KEY":\n "sk-2" */\n  "a": 1 // sk-3\n}';
    const diff = await fileDiff(noTerminal, before, before.replace('1 //', '2 //'), server);
    expect(diff).to.equal('@@ -1,5 +1,5 @@\n {\n   // ***\n   /* *** */\n-  "a": 1 // ***\n+  "a": 2 // ***\n }\n');
  });

  const former: { title: string; entry: object; shows: string }[] = [
    { title: 'a header as an argument', entry: { args: ['mcp-remote', '--header', 'Authorization: Bearer sk-1'] }, shows: '"--header"' },
    { title: 'a flag with its value in one word', entry: { args: ['mcp', '--token=sk-1'] }, shows: '"mcp"' },
    { title: 'an assignment', entry: { args: ['-y', 'KEY=sk-1'] }, shows: '"-y"' },
    { title: 'an address with a key', entry: { type: 'http', url: 'https://a.example/mcp?key=sk-1' }, shows: '"http"' },
    { title: 'an address with a password', entry: { type: 'http', url: 'https://sk-1@a.example/mcp' }, shows: '"http"' },
    { title: 'a setting that is not known here', entry: { command: 'node', apiKey: 'sk-1' }, shows: '"node"' },
    { title: 'what lies deeper', entry: { command: 'node', env: { TOOLKIT_CWD: { a: 'sk-1' } } }, shows: '"TOOLKIT_CWD"' },
  ];
  for (const { title, entry, shows } of former) {
    it(`shows no secret of the former entry: ${title}`, async () => {
      const before = json({ mcpServers: { toolkit: entry } });
      const diff = await fileDiff(noTerminal, before, json({ mcpServers: { toolkit: server.entry } }), server);
      expect(diff).to.include(shows).and.not.include('sk-1');
    });
  }
});
