import { isPlainObject } from '../../../kernel/index.ts';

type Members = Readonly<Record<string, unknown>>;

/** A server as a client's file has it, in the words of `mcpServers`. */
export interface ClientEntry {
  readonly name: string;
  readonly entry: Members;
}

/** The members under which clients have their servers. */
const holders: readonly (readonly string[])[] = [
  // Claude Desktop, Claude Code, Cursor, Windsurf, Gemini CLI, Cline and most others.
  ['mcpServers'],
  // VS Code: mcp.json, and settings.json.
  ['servers'],
  ['mcp', 'servers'],
  // Zed.
  ['context_servers'],
  // Codex.
  ['mcp_servers'],
];

/** Returns the servers of a client's file; of Claude Code's, those of each project too. Undefined for a file that has none of the members. */
export function clientEntries(file: Members): readonly ClientEntry[] | undefined {
  const { projects } = file;
  const found = [file, ...(isPlainObject(projects) ? Object.values(projects).filter(isPlainObject) : [])].flatMap((part) =>
    holders.flatMap((path) => memberAt(part, path) ?? []),
  );
  if (found.length === 0) return undefined;
  const entries = found.flatMap((servers) => (isPlainObject(servers) ? Object.entries(servers) : []));
  return entries.map(([name, entry]) => ({ name, entry: isPlainObject(entry) ? plainEntry(entry) : {} }));
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, key) => (isPlainObject(part) && Object.hasOwn(part, key) ? part[key] : undefined), value);
}

/** Returns an entry in the words of `mcpServers`: each client has its own for some members. */
function plainEntry(entry: Members): Members {
  const {
    command,
    httpUrl,
    serverUrl,
    http_headers: httpHeaders,
    bearer_token_env_var: bearer,
    env_http_headers: envHeaders,
    ...rest
  } = entry;
  const { env_vars: names, includeTools, excludeTools, enabled_tools: enabledTools, disabledTools, disabled_tools: codexDisabled } = rest;
  // Zed once had the command as an object.
  const program = isPlainObject(command) ? { command: command['path'], args: command['args'], env: command['env'] } : { command };
  const headers = {
    ...(isPlainObject(rest['headers']) ? rest['headers'] : {}),
    ...(isPlainObject(httpHeaders) ? httpHeaders : {}),
    ...(typeof bearer === 'string' ? { Authorization: `Bearer \${env:${bearer}}` } : {}),
    ...(isPlainObject(envHeaders) ? Object.fromEntries(Object.entries(envHeaders).map(([name, from]) => [name, `\${env:${from}}`])) : {}),
  };
  const passed = Array.isArray(names) ? Object.fromEntries(names.map((name) => [String(name), `\${env:${name}}`])) : {};
  const own = isPlainObject(program.env) ? program.env : rest['env'];
  const env = isPlainObject(own) ? { ...passed, ...own } : own === undefined && Array.isArray(names) ? passed : own;
  const seconds = rest['tool_timeout_sec'];
  return {
    ...rest,
    ...Object.fromEntries(Object.entries(program).filter(([, value]) => value !== undefined)),
    ...(env === undefined ? {} : { env }),
    ...(httpUrl === undefined ? {} : { url: httpUrl, type: 'http' }),
    ...(serverUrl === undefined ? {} : { url: serverUrl }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    include: includeTools ?? enabledTools,
    exclude: excludeTools ?? disabledTools ?? codexDisabled,
    timeout: typeof seconds === 'number' ? seconds * 1000 : rest['timeout'],
  };
}
