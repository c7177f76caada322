import type { JsonObject } from '../../../../../kernel/index.ts';
import type { KnownPrefix } from '../../../../shared/exposure/known-clients.ts';
import type { Launch } from '../launch.ts';
import type { ClientName, Transport } from '../names.ts';

/** A server as it is written into a client's file. */
export interface ServerEntry {
  /** The member of the file that holds the servers. */
  readonly key: 'mcpServers' | 'servers';
  readonly name: string;
  readonly entry: JsonObject;
  /** Values that the client asks its user for and stores safely. */
  readonly inputs?: readonly JsonObject[];
  /** Value of the Authorization header, for HTTP. */
  readonly authorization?: string;
  /** True when `authorization` holds the token itself, which then replaces that of a former entry. @default false */
  readonly holdsToken?: boolean;
}

export interface Client {
  readonly name: ClientName;
  readonly label: string;
  /** True when the file may have comments and trailing commas. */
  readonly hasComments: boolean;
  readonly key: ServerEntry['key'];
  stdio(launch: Launch): JsonObject;
  /** `authorization`: value of the Authorization header. */
  http(url: string, authorization: string): JsonObject;
  /** Placeholder that the client replaces with the token when it starts (by its documentation): a prompt, or an environment variable. */
  readonly tokenVariable?: string;
  readonly inputs?: (transport: Transport) => readonly JsonObject[];
  /** Instruction to the user, so that the client loads the server. */
  readonly restart: string;
  /** Remark for the user about the configuration. */
  readonly note?: (transport: Transport) => string | undefined;
  /**
   * First version that shows questions of a server to its user (MCP, Elicitation), by its documentation in 2026. False for a client that
   * does not, or does not say so; undefined for an unknown client.
   */
  readonly elicitsSince?: string | false;
  /** Name under which the client connects, used to look up its limits. */
  readonly clientInfo?: KnownPrefix;
}

/** Placeholder that the user replaces with the token. */
export const tokenPlaceholder = 'YOUR_TOKEN';

/** Environment variable of the token, for this program and for clients. */
export const tokenEnvName = 'TOOLKIT_MCP_TOKEN';

const tokenInput = 'toolkit-mcp-token';

const stdioEntry = ({ command, args, env }: Launch): JsonObject => ({ command, args: [...args], env: { ...env } });

const httpEntry = (url: string, authorization: string): JsonObject => ({ url, headers: { Authorization: authorization } });

/** Each object is an entry as the documentation of that client shows it. */
export const clients: readonly Client[] = [
  {
    name: 'claude-desktop',
    label: 'Claude Desktop',
    elicitsSince: false,
    hasComments: false,
    key: 'mcpServers',
    stdio: stdioEntry,
    // Its file supports programs only, and ignores entries with a URL.
    http: (url, authorization) => ({
      command: 'npx',
      // No space in the argument: Windows would split it.
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
    stdio: (launch) => ({ type: 'stdio', ...stdioEntry(launch) }),
    http: (url, authorization) => ({ type: 'http', ...httpEntry(url, authorization) }),
    tokenVariable: `\${${tokenEnvName}}`,
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
    stdio: stdioEntry,
    http: httpEntry,
    tokenVariable: `\${env:${tokenEnvName}}`,
    restart: 'Restart Cursor, and see that the server is switched on among its MCP servers.',
  },
  {
    name: 'vscode',
    label: 'VS Code',
    clientInfo: 'visual studio code',
    elicitsSince: '1.102',
    hasComments: true,
    key: 'servers',
    stdio: (launch) => ({ type: 'stdio', ...stdioEntry(launch) }),
    http: (url, authorization) => ({ type: 'http', ...httpEntry(url, authorization) }),
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
    stdio: stdioEntry,
    http: (url, authorization) => {
      const { url: serverUrl, ...rest } = httpEntry(url, authorization);
      return { serverUrl: serverUrl ?? url, ...rest };
    },
    tokenVariable: `\${env:${tokenEnvName}}`,
    restart: 'Restart Windsurf, or press the refresh button among the MCP servers of Cascade.',
  },
  {
    name: 'generic',
    label: 'Other clients',
    hasComments: false,
    key: 'mcpServers',
    stdio: stdioEntry,
    http: httpEntry,
    restart: 'Restart the client.',
  },
];

export interface EntryOptions {
  readonly name: string;
  readonly transport: Transport;
  readonly launch: Launch;
  readonly url: string;
  /** Token to write into the file. @default the client's variable, else a placeholder */
  readonly token?: string;
}

/** Returns the server entry for this client. */
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

/** Explains to the user how the entry gets its token. */
export function tokenAdvice({ label, tokenVariable }: Client): string {
  if (tokenVariable === undefined) return `Put the token in place of ${tokenPlaceholder}.`;
  if (tokenVariable.startsWith('${input:')) return `${label} asks for the token.`;
  return `${label} reads the token from the variable ${tokenEnvName} of its own environment.`;
}

/** Returns a whole file with only this server. */
export function configurationOf({ key, name, entry, inputs }: ServerEntry): JsonObject {
  return { ...(inputs === undefined ? {} : { inputs: [...inputs] }), [key]: { [name]: entry } };
}
