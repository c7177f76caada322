import { closeAfterTest, from, type OpenForeign, token } from './foreign.ts';

interface LangChainTool {
  readonly name: string;
  invoke(parameters: object): Promise<unknown>;
}

interface LangChainClient {
  getTools(): Promise<readonly LangChainTool[]>;
  close(): Promise<void>;
}

/** The adapters of LangChain. */
export const langChain: OpenForeign = async (reached) => {
  const { MultiServerMCPClient: Client } = await from<{ MultiServerMCPClient: new (options: object) => LangChainClient }>(
    '@langchain/mcp-adapters/dist/index.js',
  );
  const entry =
    reached.transport === 'stdio'
      ? { transport: 'stdio', command: process.execPath, args: reached.args, cwd: reached.cwd }
      : { transport: 'http', url: reached.url, headers: { authorization: `Bearer ${token}` } };
  const client = new Client({ mcpServers: { toolkit: entry } });
  closeAfterTest(() => client.close());
  const tools = await client.getTools();
  return {
    names: tools.map(({ name }) => name),
    async call(name, parameters) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`There is no tool "${name}".`);
      return JSON.stringify(await tool.invoke(parameters));
    },
  };
};
