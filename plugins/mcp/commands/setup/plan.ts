import { type Exposure, type ExposureChoice, exposureFor } from '../../../shared/exposure/exposure.ts';
import type { McpOptions } from '../../options.ts';
import { type Client, configurationOf, entryOf, type ServerEntry } from './clients/clients.ts';
import { httpLaunch, type Launch, stdioLaunch } from './launch.ts';
import type { Transport } from './names.ts';
import type { Project } from './project.ts';
import type { ListSizes, Scan, ToolGroup } from './scan.ts';
import { toolEntries } from './tool-entries.ts';

export interface Choices {
  readonly groups: readonly ToolGroup[];
  readonly clients: readonly Client[];
  readonly transports: readonly Transport[];
  readonly usesDotenv: boolean;
  /** Server name in the clients' files. */
  readonly name: string;
}

/** The choices with everything that follows from them. */
export interface Plan extends Choices {
  readonly project: Project;
  /** Number of tools that the server offers. */
  readonly tools: number;
  /** Number of those that require approval. */
  readonly gated: number;
  /** Command lines that suit all of the clients together. */
  readonly launches: Readonly<Record<Transport, Launch>>;
  readonly url: string;
  /** Exposure that the server is started with. */
  readonly expose: ExposureChoice;
  /** Sizes of the tool lists, with the approval setting of the configuration. */
  readonly lists: ListSizes;
  /** Returns the exposure that this client gets. */
  exposureOf(client: Client): Exposure;
  /** `own`: a name other than the chosen one, and the token if it is written into the file. */
  entryOf(client: Client, transport: Transport, own?: { readonly name?: string; readonly token?: string }): ServerEntry;
  /** Returns the text of a file with only this server, without a line feed at the end. */
  configurationText(client: Client, transport: Transport): string;
}

export function planOf(project: Project, choices: Choices, program: readonly string[]): Plan {
  const { known, server, groups, canSearch } = project.scan;
  const expose = canSearch ? (server.expose ?? 'auto') : 'all';
  const chosen = choices.groups.flatMap(({ tools }) => tools);
  const isAll = choices.groups.length === groups.length;
  const tools = isAll ? undefined : toolEntries(chosen, known);
  const options = {
    program,
    project: project.folder,
    ...(project.configFile === undefined ? {} : { configFile: project.configFile }),
    ...(tools === undefined ? {} : { tools }),
    ...(choices.usesDotenv && project.envFile?.isConfigured === false ? { envFile: project.envFile.file } : {}),
    ...(project.configuresExposure || !canSearch ? {} : { expose }),
    needsStdioFlag: (server.transport ?? 'stdio') !== 'stdio',
  };
  const canElicit = (clients: readonly Client[]): boolean =>
    !project.scan.configuresApproval && clients.length > 0 && clients.every(canAsk);
  const elicitsApproval = canElicit(choices.clients);
  const launches = { stdio: stdioLaunch({ ...options, elicitsApproval }), http: httpLaunch({ ...options, elicitsApproval }) };
  const url = urlOf(server);
  const entry: Plan['entryOf'] = (client, transport, own = {}) => {
    const launch = stdioLaunch({ ...options, elicitsApproval: canElicit([client]) });
    return entryOf(client, { name: choices.name, transport, launch, url, ...own });
  };
  const lists = project.scan.listSizes(chosen);
  return {
    ...choices,
    project,
    tools: chosen.length,
    gated: chosen.filter((name) => project.scan.gated.includes(name)).length,
    launches,
    url,
    expose,
    lists,
    exposureOf: (client) =>
      exposureFor(expose, client.clientInfo, () => (canElicit([client]) ? project.scan.listSizes(chosen, 'none') : lists).all),
    entryOf: entry,
    configurationText: (client, transport) => JSON.stringify(configurationOf(entry(client, transport)), null, 2),
  };
}

/** True for a client that shows the questions of a server to its user. */
export function canAsk({ elicitsSince }: Client): boolean {
  return typeof elicitsSince === 'string';
}

/** Finds the groups with these names in a scan. */
export function groupsNamed(scan: Scan, names: readonly string[]): readonly ToolGroup[] {
  return scan.groups.filter(({ name }) => names.includes(name));
}

/** True when the configured HTTP server has a certificate. */
export function isHttps({ https = false, selfSigned = false, certPath }: McpOptions): boolean {
  return https || selfSigned || certPath !== undefined;
}

/** Returns the URL of the HTTP server for clients on this machine. */
function urlOf(server: McpOptions): string {
  const { host = '127.0.0.1', port = 3000 } = server;
  const own = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `${isHttps(server) ? 'https' : 'http'}://${own.includes(':') ? `[${own}]` : own}:${port}/mcp`;
}
