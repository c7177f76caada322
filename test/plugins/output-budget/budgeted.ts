import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import type { Kernel, PluginEntry } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { outputBudget } from '../../../plugins/output-budget/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { type Connected, connect, handlerTool } from '../mcp/support/client.ts';

/** MCP, Resources, Error Handling. */
export const notFound = -32002;
export const secret = 'value-of-shop-token';
export const lines = Array.from({ length: 700 }, (_, index) => `This is line ${index} of the report.`).join('\n');

export interface Budgeted {
  readonly kernel: Kernel;
  readonly mcp: Connected;
  /** Calls the tool as a model does. */
  call(): Promise<CallToolResult>;
}

export interface BudgetedOptions {
  readonly run: (context: FunctionContext) => unknown;
  readonly definition?: Readonly<Record<string, unknown>>;
  readonly options?: Parameters<typeof outputBudget>[0];
  readonly plugins?: readonly PluginEntry[];
}

/** A kernel whose tool `it` gives something, and a client; texts of more than 2000 characters are too long. */
export async function budgeted({ run, definition = {}, options = {}, plugins = [] }: BudgetedOptions): Promise<Budgeted> {
  const kernel = await testKernel({
    tools: [handlerTool((_: never, context) => run(context), { secrets: ['SHOP_TOKEN'], ...definition })],
    plugins: [
      secretsEnv({ env: { SHOP_TOKEN: secret } }),
      credentialsPlaceholder(),
      outputBudget({ maxCharacters: 2000, ...options }),
      ...plugins,
    ],
  });
  const mcp = await connect(kernel);
  return { kernel, mcp, call: () => mcp.call('it') };
}

export interface Shown {
  readonly preview: string;
  readonly note: string;
  readonly uri: string;
}

/** Reads the parts of a shortened result. */
export function shownBy({ content }: Pick<CallToolResult, 'content'>): Shown {
  const [note, preview, link] = content;
  if (preview?.type !== 'text' || note?.type !== 'text' || link?.type !== 'resource_link') throw new Error(JSON.stringify(content));
  return { preview: preview.text, note: note.text, uri: link.uri };
}

export async function read(uri: string, { client }: Connected): Promise<{ note: string; text: string; whole: string }> {
  const { contents } = await client.readResource({ uri });
  const whole = String((contents[0] as { text?: string }).text);
  const [note = '', ...text] = whole.split('\n\n');
  return { note, text: text.join('\n\n'), whole };
}

/** Everything of an output, as plugins read it. */
export async function readWhole(first: string, { client }: Connected): Promise<string> {
  const { contents } = await client.readResource({ uri: first.replace(/1$/, 'whole') });
  return String((contents[0] as { text?: string }).text);
}

/** The pages from a URI on, each found where the one before says. */
export async function readAll(first: string, mcp: Connected): Promise<string[]> {
  const pages: string[] = [];
  for (let uri: string | undefined = first; uri !== undefined; ) {
    const { note, text, whole } = await read(uri, mcp);
    expect(whole.length).to.be.at.most(2000);
    pages.push(text);
    uri = /The next one is (\S+)$/.exec(note)?.[1];
  }
  return pages;
}

/** Finds in a note how to go on. */
export function getOutput(uri: unknown, page: number): string {
  const id = String(uri).slice('output://'.length, -2);
  return `toolkit_get_output {"id":"${id}","page":${page}}, or find lines in it, which costs less, with {"id":"${id}","pattern":"…"}`;
}
