import { expect } from 'chai';
import { killableServer } from '../e2e/killable-server.ts';
import { program, start } from '../e2e/program.ts';
import { project } from '../e2e/project.ts';
import { searching } from '../e2e/ways.ts';
import { aiSdk } from './clients/ai-sdk.ts';
import { type OpenForeign, type Server, token } from './clients/foreign.ts';
import { langChain } from './clients/langchain.ts';
import { mcpRemote } from './clients/mcp-remote.ts';
import { officialClient } from './clients/official-client.ts';
import { withUpstream } from './clients/with-upstream.ts';

async function server(
  transport: Server['transport'],
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const cwd = await project(files);
  if (transport === 'stdio') return { transport, cwd, args: [program, 'mcp', ...args] };
  const started = start(['mcp', '-t', 'http', '-p', '0', ...args], { cwd, env: { TOOLKIT_MCP_TOKEN: token } });
  const [, url = ''] = await started.waitFor(/MCP server: (\S+)\n/);
  return { transport, url };
}

const clients: Readonly<Record<string, OpenForeign>> = {
  'the AI SDK': aiSdk,
  'the adapters of LangChain': langChain,
};

const file = { path: 'notes/héllo wörld.txt' };

for (const [title, open] of Object.entries(clients))
  describe(`a server, used with ${title}`, () => {
    for (const transport of ['stdio', 'http'] as const) {
      it(`lists and calls all tools over ${transport}`, async () => {
        const { names, call } = await open(await server(transport, []));
        expect(names).to.include.members(['fs_read_file', 'git_log', 'github_create_issue', 'hubspot_create_contact', 'web_request']);
        // With the one that goes with every list.
        expect(names).to.have.length(263);
        expect(await call('fs_read_file', file)).to.include('zweite Zeile');
        expect(await call('git_log', { max_count: 1 })).to.include('ünïcode');
        expect(await call('json_query', { data: { a: [1, 42] }, query: '$.a[1]' })).to.include('42');
      });

      it(`finds, describes and calls them in the exposure search over ${transport}`, async () => {
        const { names, call } = await open(await server(transport, searching));
        expect([...names].sort()).to.deep.equal([
          'toolkit_call_read_tool',
          'toolkit_call_tool',
          'toolkit_get_output',
          'toolkit_get_tool',
          'toolkit_search_tools',
        ]);
        expect(await call('toolkit_search_tools', { query: 'read a file' })).to.include('fs_read_file');
        expect(await call('toolkit_get_tool', { name: 'fs_read_file' })).to.include('input_schema');
        expect(await call('toolkit_call_read_tool', { name: 'fs_read_file', arguments: file })).to.include('zweite Zeile');
        const written = { path: 'new.txt', content: 'hello' };
        expect(await call('toolkit_call_tool', { name: 'fs_write_file', arguments: written })).to.include('new.txt');
      });
    }
  });

for (const [title, open] of Object.entries(clients))
  describe(`a tool of another MCP server behind this one, used with ${title}`, () => {
    for (const [era, transport] of [
      ['legacy', 'stdio'],
      ['modern', 'http'],
    ] as const)
      it(`gives its text, its structured content and its error over ${transport} (${era})`, async () => {
        const { names, call } = await open(await server(transport, [], withUpstream(era)));
        expect(names).to.include.members(['shop_echo', 'shop_structured', 'shop_failing']);
        expect(await call('shop_echo', { text: 'hällo' })).to.include('hällo');
        expect(JSON.parse(await call('shop_structured', {}))).to.have.nested.property('structuredContent.temperature', 21.5);
        expect(await failureOf(call('shop_failing', {}))).to.include('it broke');
      });
  });

/** Reactions of clients to a session that has become unknown: an error, or a new session. Without sessions nothing is lost. */
const restarted: readonly { readonly title: string; readonly open: OpenForeign<'http'>; readonly refusal?: RegExp }[] = [
  { title: 'the AI SDK', open: aiSdk, refusal: /404.*The session does not exist/ },
  { title: 'the adapters of LangChain', open: langChain, refusal: /The session does not exist/ },
  { title: 'the official client, in a session', open: officialClient('legacy'), refusal: /The session does not exist/ },
  { title: 'the official client, without a session', open: officialClient('auto') },
  { title: 'mcp-remote', open: mcpRemote },
];

for (const { title, open, refusal } of restarted)
  describe(`a server that is killed and started again, used with ${title}`, () => {
    const key = 'a key of thirty-two bytes or more';

    it('is called on with the same key, also after a call that found no server', async () => {
      const { url, kill, restart } = await killableServer(token, [], key);
      const { call } = await open({ transport: 'http', url: url.href });
      expect(await call('fs_read_file', file)).to.include('zweite Zeile');
      await restart();
      expect(await call('fs_read_file', file)).to.include('zweite Zeile');
      await kill();
      expect(await failureOf(call('fs_read_file', file))).to.include('fetch failed');
      await restart();
      expect(await call('fs_read_file', file)).to.include('zweite Zeile');
    });

    it(refusal === undefined ? 'is called on with another key' : 'tells that the session has ended with another key', async () => {
      const { url, restart } = await killableServer(token, [], key);
      const { call } = await open({ transport: 'http', url: url.href });
      await restart('another key of thirty-two bytes or more');
      const again = call('fs_read_file', file);
      if (refusal === undefined) expect(await again).to.include('zweite Zeile');
      else expect(await failureOf(again)).to.match(refusal);
    });
  });

/** The message of what is thrown. */
async function failureOf(call: Promise<string>): Promise<string> {
  return call.then(
    (answer) => `answered: ${answer}`,
    (error: Error) => error.message,
  );
}
