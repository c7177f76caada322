import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { program, start } from '../e2e/program.ts';
import { project } from '../e2e/project.ts';
import { searching } from '../e2e/ways.ts';
import { afterEach } from '../support/after-each.ts';

/** Where `npm run test:clients` installs clients of others. */
const installed = path.resolve('node_modules/.cache/clients/node_modules');

/** A module of these, as far as it is used here. */
const from = async <T>(file: string): Promise<T> => (await import(pathToFileURL(path.join(installed, file)).href)) as T;

const token = 'clients-token';

/** How clients reach a server. */
type Server =
  | { readonly transport: 'stdio'; readonly cwd: string; readonly args: readonly string[] }
  | { readonly transport: 'http'; readonly url: string };

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function server(transport: Server['transport'], args: readonly string[]): Promise<Server> {
  const cwd = await project();
  if (transport === 'stdio') return { transport, cwd, args: [program, 'mcp', ...args] };
  const started = start(['mcp', '-t', 'http', '-p', '0', ...args], { cwd, env: { TOOLKIT_MCP_TOKEN: token } });
  const [, url = ''] = await started.waitFor(/MCP server: (\S+)\n/);
  return { transport, url };
}

/** A client: the names that it is given, and a call, whose whole answer comes as text. */
interface Foreign {
  readonly names: readonly string[];
  call(name: string, parameters: Readonly<Record<string, unknown>>): Promise<string>;
}

interface AiClient {
  tools(): Promise<Readonly<Record<string, object>>>;
  close(): Promise<void>;
}

interface AiSdk {
  generateText(options: object): Promise<{ readonly steps: readonly { readonly toolResults: readonly { readonly output: unknown }[] }[] }>;
  stepCountIs(count: number): unknown;
}

/** The AI SDK, with a model that calls one tool: so the SDK checks the call, runs it and gives the model the answer. */
async function aiSdk(reached: Server): Promise<Foreign> {
  const { createMCPClient } = await from<{ createMCPClient(options: object): Promise<AiClient> }>('@ai-sdk/mcp/dist/index.mjs');
  const { Experimental_StdioMCPTransport: Stdio } = await from<{ Experimental_StdioMCPTransport: new (options: object) => object }>(
    '@ai-sdk/mcp/dist/mcp-stdio/index.mjs',
  );
  const { generateText, stepCountIs } = await from<AiSdk>('ai/dist/index.mjs');
  const { MockLanguageModelV3: Model } = await from<{ MockLanguageModelV3: new (options: object) => object }>('ai/dist/test/index.mjs');
  const transport =
    reached.transport === 'stdio'
      ? new Stdio({ command: process.execPath, args: reached.args, cwd: reached.cwd })
      : { type: 'http', url: reached.url, headers: { authorization: `Bearer ${token}` } };
  const client = await createMCPClient({ transport });
  closers.push(() => client.close());
  const tools = await client.tools();
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  return {
    names: Object.keys(tools),
    async call(toolName, parameters) {
      const wanted = { type: 'tool-call', toolCallId: '1', toolName, input: JSON.stringify(parameters) };
      const model = new Model({
        doGenerate: [
          { content: [wanted], finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
          { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
        ],
      });
      const { steps } = await generateText({ model, tools, prompt: 'Go on.', stopWhen: stepCountIs(2) });
      return JSON.stringify(steps[0]?.toolResults[0]?.output);
    },
  };
}

interface LangChainTool {
  readonly name: string;
  invoke(parameters: object): Promise<unknown>;
}

interface LangChainClient {
  getTools(): Promise<readonly LangChainTool[]>;
  close(): Promise<void>;
}

async function langChain(reached: Server): Promise<Foreign> {
  const { MultiServerMCPClient: Client } = await from<{ MultiServerMCPClient: new (options: object) => LangChainClient }>(
    '@langchain/mcp-adapters/dist/index.js',
  );
  const entry =
    reached.transport === 'stdio'
      ? { transport: 'stdio', command: process.execPath, args: reached.args, cwd: reached.cwd }
      : { transport: 'http', url: reached.url, headers: { authorization: `Bearer ${token}` } };
  const client = new Client({ mcpServers: { toolkit: entry } });
  closers.push(() => client.close());
  const tools = await client.getTools();
  return {
    names: tools.map(({ name }) => name),
    async call(name, parameters) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`There is no tool "${name}".`);
      return JSON.stringify(await tool.invoke(parameters));
    },
  };
}

const clients: Readonly<Record<string, (server: Server) => Promise<Foreign>>> = {
  'the AI SDK': aiSdk,
  'the adapters of LangChain': langChain,
};

const file = { path: 'notes/héllo wörld.txt' };

for (const [title, open] of Object.entries(clients))
  describe(`a server, used with ${title}`, function () {
    this.timeout(120_000);

    for (const transport of ['stdio', 'http'] as const) {
      it(`lists and calls all tools over ${transport}`, async () => {
        const { names, call } = await open(await server(transport, []));
        expect(names).to.include.members(['fs_read_file', 'git_log', 'github_create_issue', 'hubspot_create_contact', 'web_request']);
        expect(names).to.have.length(255);
        expect(await call('fs_read_file', file)).to.include('zweite Zeile');
        expect(await call('git_log', { max_count: 1 })).to.include('ünïcode');
        expect(await call('json_query', { data: { a: [1, 42] }, query: '$.a[1]' })).to.include('42');
      });

      it(`finds, describes and calls them in the exposure search over ${transport}`, async () => {
        const { names, call } = await open(await server(transport, searching));
        expect([...names].sort()).to.deep.equal([
          'toolkit_call_read_tool',
          'toolkit_call_tool',
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
