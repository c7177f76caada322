import { closeAfterTest, from, type OpenForeign, token } from './foreign.ts';

interface AiClient {
  tools(): Promise<Readonly<Record<string, object>>>;
  close(): Promise<void>;
}

interface Step {
  readonly toolResults: readonly { readonly output: unknown }[];
  /** Parts of the conversation; a failed call is a part of the type `tool-error`. */
  readonly content: readonly { readonly type: string; readonly error?: unknown }[];
}

interface AiSdk {
  generateText(options: object): Promise<{ readonly steps: readonly Step[] }>;
  stepCountIs(count: number): unknown;
}

/** The AI SDK, with a model that calls one tool: so the SDK checks the call, runs it and gives the model the answer. */
export const aiSdk: OpenForeign = async (reached) => {
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
  closeAfterTest(() => client.close());
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
      const failed = steps[0]?.content.find(({ type }) => type === 'tool-error');
      if (failed !== undefined) throw new Error(String(failed.error), { cause: failed.error });
      return JSON.stringify(steps[0]?.toolResults[0]?.output);
    },
  };
};
