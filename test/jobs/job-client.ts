import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type CallToolResult, McpError } from '@modelcontextprotocol/sdk/types.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Which tools a client is listed: all, or a few that find and call the others. */
export type JobExposure = 'all' | 'search';

/** Result of one call. */
export interface JobAnswer {
  /** The output of the tool; undefined where it failed. */
  readonly output: unknown;
  /** The texts that a model reads, joined. */
  readonly text: string;
  readonly isError: boolean;
  /** Everything that came, such as images. */
  readonly content: CallToolResult['content'];
}

/** Cost of a job so far, in o200k tokens. */
export interface JobCost {
  readonly calls: number;
  readonly shownTokens: number;
  readonly typedTokens: number;
}

/** The tool that a model has found. */
export interface FoundTool {
  /** Calls it, and returns its output. Throws the text of its error. */
  call<Output = Record<string, unknown>>(parameters: object): Promise<Output>;
  /** Calls it, and returns what came, errors included. */
  answer(parameters: object): Promise<JobAnswer>;
}

/** Tools that a model asks for in one search: as many as let it choose. */
const hitsPerSearch = 3;

/** Calls tools as a model does, and counts what it types (name and arguments) and is shown (texts of results). */
export class JobClient {
  readonly exposure: JobExposure;
  readonly #client: Client;
  readonly #found = new Map<string, FoundTool>();
  /** Texts of all results. */
  readonly #shown: string[] = [];
  #calls = 0;
  #shownTokens = 0;
  #typedTokens = 0;

  constructor(client: Client, exposure: JobExposure) {
    this.#client = client;
    this.exposure = exposure;
  }

  get cost(): JobCost {
    return { calls: this.#calls, shownTokens: this.#shownTokens, typedTokens: this.#typedTokens };
  }

  /**
   * Finds a tool. Where all are listed this costs nothing; else it is searched by the words of the task, and its schema is read with
   * toolkit_get_tool, once for a tool. `signature` leaves that out: for a call whose arguments all stand in the signature of the search's hit, which
   * the search itself says is often enough. Throws when the search does not find the tool.
   */
  async tool(name: string, task: string, read: 'schema' | 'signature' = 'schema'): Promise<FoundTool> {
    if (this.exposure === 'search' && !this.#found.has(name)) await this.#search(name, task);
    return this.#foundTool(name, read);
  }

  /** Takes a tool that a result has named, such as the description of another tool: without a search. Throws when none has. */
  async namedTool(name: string): Promise<FoundTool> {
    if (this.exposure === 'search' && !this.#shown.some((text) => text.includes(name))) throw new Error(`No result has named ${name}.`);
    return this.#foundTool(name, 'schema');
  }

  /** Takes a tool that a model believes to know, right or wrong: nothing is searched or read. */
  guessedTool(name: string): Promise<FoundTool> {
    return this.#foundTool(name, 'signature');
  }

  async #search(name: string, task: string): Promise<void> {
    const { structuredContent } = await this.#send('toolkit_search_tools', { query: task, limit: hitsPerSearch });
    const { tools = [] } = (structuredContent ?? {}) as { tools?: readonly { name: string }[] };
    if (!tools.some((tool) => tool.name === name))
      throw new Error(`The search for "${task}" gave ${tools.map((tool) => tool.name).join(', ') || 'nothing'}, not ${name}.`);
  }

  async #foundTool(name: string, read: 'schema' | 'signature'): Promise<FoundTool> {
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    if (this.exposure === 'search' && read === 'schema') await this.#send('toolkit_get_tool', { name });
    const answer = (parameters: object): Promise<JobAnswer> => this.#answer(name, parameters);
    const found: FoundTool = {
      answer,
      call: async <Output>(parameters: object) => {
        const { output, text, isError } = await answer(parameters);
        if (isError) throw new Error(`${name}: ${text}`);
        return output as Output;
      },
    };
    this.#found.set(name, found);
    return found;
  }

  async #answer(name: string, parameters: object): Promise<JobAnswer> {
    const isListed = this.exposure === 'all' || name === 'toolkit_get_output';
    const result = await (isListed ? this.#send(name, parameters) : this.#send('toolkit_call_tool', { name, arguments: parameters }));
    const { structuredContent, content, isError = false } = result;
    const output = isListed ? structuredContent : structuredContent?.['output'];
    return { output, text: textIn(content), isError, content };
  }

  async #send(name: string, parameters: object): Promise<CallToolResult> {
    this.#calls += 1;
    this.#typedTokens += countTokens(name) + countTokens(JSON.stringify(parameters));
    const result = (await this.#client.callTool({ name, arguments: { ...parameters } }).catch(refusalOf)) as CallToolResult;
    const shown = textIn(result.content);
    this.#shown.push(shown);
    this.#shownTokens += countTokens(shown);
    return result;
  }
}

/** The result that a client shows its model where the server refuses the request itself, such as for a tool that there is not. */
function refusalOf(error: unknown): CallToolResult {
  if (!(error instanceof McpError)) throw error;
  return { isError: true, content: [{ type: 'text', text: error.message }] };
}

function textIn(content: CallToolResult['content']): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
