import type { JsonObject } from '../../../../../kernel/index.ts';
import type { KnownPrefix } from '../../../../shared/exposure/known-clients.ts';
import type { Launch } from '../launch.ts';
import type { ClientName, Transport } from '../names.ts';

/** What a client is told about a server. */
export interface ServerEntry {
  /** The member of the file that holds the servers. */
  readonly key: 'mcpServers' | 'servers';
  readonly name: string;
  readonly entry: JsonObject;
  /** Values that the client asks its user for and keeps safe. */
  readonly inputs?: readonly JsonObject[];
  /** The value of the header, over HTTP. */
  readonly authorization?: string;
  /** It is the token itself, which a former entry's gives way to. @default false */
  readonly holdsToken?: boolean;
}

export interface Client {
  readonly name: ClientName;
  readonly label: string;
  /** Comments and trailing commas may stand in its file. */
  readonly hasComments: boolean;
  readonly key: ServerEntry['key'];
  stdio(launch: Launch): JsonObject;
  /** `authorization`: the value of that header. */
  http(url: string, authorization: string): JsonObject;
  /** Stands for the token until the client starts, by its own documentation: a question of it, or a variable of its environment. */
  readonly tokenVariable?: string;
  readonly inputs?: (transport: Transport) => readonly JsonObject[];
  /** What a person does so that the client sees the server. */
  readonly restart: string;
  /** What a person should know about the configuration. */
  readonly note?: (transport: Transport) => string | undefined;
  /**
   * Whether the client puts a question of the server to its person (MCP, Elicitation), by its own documentation in 2026: the first version
   * that does, false for one that does not or does not say so, undefined where the client is not known.
   */
  readonly elicitsSince?: string | false;
  /** How it names itself when it connects, where something is known of it: its limits are found by that. */
  readonly clientInfo?: KnownPrefix;
}

/** Stands where a person puts the token. */
export const tokenPlaceholder = 'YOUR_TOKEN';

/** The variable that the token is in, for this program and for clients. */
export const tokenName = 'TOOLKIT_MCP_TOKEN';

const tokenInput = 'toolkit-mcp-token';

const started = ({ command, args, env }: Launch): JsonObject => ({ command, args: [...args], env: { ...env } });

const reached = (url: string, authorization: string): JsonObject => ({ url, headers: { Authorization: authorization } });

/** How to read these: each object is an entry as the documentation of that client shows it. */
export const clients: readonly Client[] = [
  {
    name: 'claude-desktop',
    label: 'Claude Desktop',
    elicitsSince: false,
    hasComments: false,
    key: 'mcpServers',
    stdio: started,
    // Its file takes programs only, and skips entries with a URL.
    http: (url, authorization) => ({
      command: 'npx',
      // Without a blank in the argument, which Windows would divide.
      args: ['-y', 'mcp-remote', url, '--header', `Authorization:\${TOOLKIT_AUTHORIZATION}`],
      env: { TOOLKIT_AUTHORIZATION: authorization },
    }),
    restart: 'Quit Claude Desktop completely, also in the menu bar or tray, and start it again.',
    note: (transport) =>
      transport === 'http'
        ? 'Claude Desktop starts programs only, so this goes through the npm package mcp-remote. Over stdio it is not needed.'
        : undefined,
  },
  {
    name: 'claude-code',
    label: 'Claude Code',
    clientInfo: 'claude-code',
    elicitsSince: '2.1.76',
    hasComments: false,
    key: 'mcpServers',
    stdio: (launch) => ({ type: 'stdio', ...started(launch) }),
    http: (url, authorization) => ({ type: 'http', ...reached(url, authorization) }),
    tokenVariable: `\${${tokenName}}`,
    restart: 'Start claude again; /mcp in it shows the server.',
    note: () => 'Claude Code writes this file itself: quit it before the file changes, or it may write over the change.',
  },
  {
    name: 'cursor',
    label: 'Cursor',
    clientInfo: 'cursor',
    elicitsSince: '1.5',
    hasComments: true,
    key: 'mcpServers',
    stdio: started,
    http: reached,
    tokenVariable: `\${env:${tokenName}}`,
    restart: 'Restart Cursor, and see that the server is switched on among its MCP servers.',
  },
  {
    name: 'vscode',
    label: 'VS Code',
    clientInfo: 'visual studio code',
    elicitsSince: '1.102',
    hasComments: true,
    key: 'servers',
    stdio: (launch) => ({ type: 'stdio', ...started(launch) }),
    http: (url, authorization) => ({ type: 'http', ...reached(url, authorization) }),
    tokenVariable: `\${input:${tokenInput}}`,
    inputs: (transport) =>
      transport === 'http' ? [{ type: 'promptString', id: tokenInput, description: 'Token of the toolkit server', password: true }] : [],
    restart: 'In VS Code run "MCP: List Servers", choose the server and start it. Its tools are there in the agent mode of the chat.',
  },
  {
    name: 'windsurf',
    label: 'Windsurf',
    clientInfo: 'windsurf',
    elicitsSince: false,
    hasComments: true,
    key: 'mcpServers',
    stdio: started,
    http: (url, authorization) => {
      const { url: serverUrl, ...rest } = reached(url, authorization);
      return { serverUrl: serverUrl ?? url, ...rest };
    },
    tokenVariable: `\${env:${tokenName}}`,
    restart: 'Restart Windsurf, or press the refresh button among the MCP servers of Cascade.',
  },
  {
    name: 'generic',
    label: 'Other clients',
    hasComments: false,
    key: 'mcpServers',
    stdio: started,
    http: reached,
    restart: 'Restart the client.',
  },
];

export interface EntryOptions {
  readonly name: string;
  readonly transport: Transport;
  readonly launch: Launch;
  readonly url: string;
  /** The token itself, where a person wants it in the file. @default the variable of the client, else a placeholder */
  readonly token?: string;
}

/** Returns the entry of a server for this client. */
export function entryOf(client: Client, { name, transport, launch, url, token }: EntryOptions): ServerEntry {
  const authorization = `Bearer ${token ?? client.tokenVariable ?? tokenPlaceholder}`;
  const inputs = token === undefined ? (client.inputs?.(transport) ?? []) : [];
  return {
    key: client.key,
    name,
    entry: transport === 'stdio' ? client.stdio(launch) : client.http(url, authorization),
    ...(transport === 'stdio' ? {} : { authorization, holdsToken: token !== undefined }),
    ...(inputs.length === 0 ? {} : { inputs }),
  };
}

/** Returns how the server of an entry gets its token, for a person; undefined where that needs nobody. */
export function tokenAdvice({ label, tokenVariable }: Client): string {
  if (tokenVariable === undefined) return `Put the token in place of ${tokenPlaceholder}.`;
  if (tokenVariable.startsWith('${input:')) return `${label} asks for the token.`;
  return `${label} reads the token from the variable ${tokenName} of its own environment.`;
}

/** A whole file with nothing but this server. */
export function configurationOf({ key, name, entry, inputs }: ServerEntry): JsonObject {
  return { ...(inputs === undefined ? {} : { inputs: [...inputs] }), [key]: { [name]: entry } };
}
