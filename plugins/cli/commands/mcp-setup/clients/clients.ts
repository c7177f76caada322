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
}

export interface Client {
  readonly name: ClientName;
  readonly label: string;
  /** Comments and trailing commas may stand in its file. */
  readonly hasComments: boolean;
  readonly key: ServerEntry['key'];
  stdio(launch: Launch): JsonObject;
  http(url: string): JsonObject;
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

const tokenInput = 'toolkit-mcp-token';

const started = ({ command, args, env }: Launch): JsonObject => ({ command, args: [...args], env: { ...env } });

const reached = (url: string): JsonObject => ({ url, headers: { Authorization: `Bearer ${tokenPlaceholder}` } });

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
    http: (url) => ({
      command: 'npx',
      // Without a blank in the argument, which Windows would divide.
      args: ['-y', 'mcp-remote', url, '--header', `Authorization:\${TOOLKIT_AUTHORIZATION}`],
      env: { TOOLKIT_AUTHORIZATION: `Bearer ${tokenPlaceholder}` },
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
    http: (url) => ({ type: 'http', ...reached(url) }),
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
    // VS Code's own variable, not ours.
    http: (url) => ({ type: 'http', url, headers: { Authorization: `Bearer \${input:${tokenInput}}` } }),
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
    http: (url) => {
      const { url: serverUrl, ...rest } = reached(url);
      return { serverUrl: serverUrl ?? url, ...rest };
    },
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

/** What the client is told, over that transport. */
export function entryOf(client: Client, name: string, transport: Transport, launch: Launch, url: string): ServerEntry {
  const inputs = client.inputs?.(transport) ?? [];
  return {
    key: client.key,
    name,
    entry: transport === 'stdio' ? client.stdio(launch) : client.http(url),
    ...(inputs.length === 0 ? {} : { inputs }),
  };
}

/** A whole file with nothing but this server. */
export function configurationOf({ key, name, entry, inputs }: ServerEntry): JsonObject {
  return { ...(inputs === undefined ? {} : { inputs: [...inputs] }), [key]: { [name]: entry } };
}
