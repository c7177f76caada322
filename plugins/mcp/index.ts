import { apiVersion, definePlugin, type JsonObject, type PluginApi, type Tool } from '../../kernel/index.ts';
import { toolsWithUnverifiedApproval } from '../shared/approval/unverified-approval.ts';
import { Availability } from '../shared/exposure/availability.ts';
import { callReadTool } from '../shared/exposure/call-read-tool.ts';
import type { ListSize } from '../shared/exposure/exposure.ts';
import { serverListing } from '../shared/exposure/server-listing.ts';
import { decideToolAccess } from '../shared/exposure/tool-access.ts';
import { listDerivations } from '../shared/exposure/tool-listing.ts';
import { HostKeys } from '../shared/keys/host-keys.ts';
import { version } from '../shared/project/version.ts';
import { mcpChecks } from './checks.ts';
import { mcpCommand } from './commands/mcp.ts';
import { mcpSetupCommand } from './commands/setup/command.ts';
import { combineMcpFlags, mcpFlags } from './flags.ts';
import { addGauges } from './gauges.ts';
import { McpOptionsSchema } from './options.ts';
import { RequestStates } from './protocol/asking/request-states.ts';
import { Catalog } from './protocol/catalog/catalog.ts';
import { Shares } from './protocol/clients/shares.ts';
import { Tasks } from './protocol/tasks/tasks.ts';
import { defaultTransport, transports } from './transports/index.ts';

export type { McpOptions } from './options.ts';

/** The MCP server. Serves the kernel's tools over one of the transports. */
export const mcp = definePlugin({
  name: 'mcp',
  apiVersion,
  optionsSchema: McpOptionsSchema,
  commands: [mcpCommand, mcpSetupCommand],
  flags: mcpFlags,
  combineFlags: combineMcpFlags,
  checks: mcpChecks,
  apply(api, options) {
    let stop: () => Promise<void> = async () => {};
    let availability: Availability | undefined;
    let ofTransport: () => JsonObject = () => ({});
    let reload: () => Promise<void> = async () => {};
    const shares = new Shares({
      requests: options.maxRequests ?? 256,
      connections: options.maxConnections ?? 1000,
      subscriptions: options.maxSubscriptions ?? 1000,
    });
    api.extend.fact(serverListing, options);
    api.extend.status('sessions', () => ({ ...ofTransport(), inUse: shares.status }));
    addGauges(api, () => ofTransport());
    api.extend.reload(() => reload());
    for (const transport of Object.values(transports)) transport.prepare?.(api, options);
    const keys = new HostKeys({ logger: api.logger, maskAlso: (name, value) => api.maskAlso(name, value), state: api.state });
    api.extend.controlFiles(keys.folder, { what: 'the key of this host', read: false });
    api.hooks.discover.tap('mcp', (sink) => {
      for (const derivation of listDerivations) sink.derive(derivation);
      if ((options.expose ?? 'all') !== 'all') sink.addTool(callReadTool, { trust: 'package', isBuiltIn: true });
    });
    if (options.onlyAvailable === true) api.hooks.settled.tap('mcp', (end) => availability?.onCallEnd(end));
    api.hooks.serve.tapPromise('mcp', async (sink) => {
      if (sink.work !== undefined) return;
      const { kernel } = api;
      const { transport = defaultTransport, pageSize = 1000, drainMs, expose = 'all' } = options;
      await kernel.resolveSecrets();
      const offer = decideToolAccess(options, kernel.registry, undefined, () => kernel.registry);
      const offered = [...kernel.registry.tools.values()].filter(offer.isCallable);
      warnOfUnverifiedApproval(api, offered);
      for (const served of Object.values(transports)) served.warn?.(api, options);
      if (options.onlyAvailable === true) {
        availability = new Availability(kernel);
        logHidden(api, offered, availability);
      }
      const catalog = new Catalog(kernel, offer, availability);
      if (expose === 'all') warnOfListSize(api, catalog.size);
      const { state, logger } = api;
      const cluster = state.isShared ? new (await import('./cluster/cluster.ts')).Cluster(state, logger) : undefined;
      const protocol = {
        catalog,
        expose,
        version,
        pageSize,
        shares,
        keys,
        states: new RequestStates(keys),
        tasks: new Tasks(cluster),
        cluster,
      };
      const {
        stop: end,
        answered,
        status,
        reload: ofFiles,
        ...server
      } = await transports[transport].start({ api, options, protocol, output: sink.output });
      sink.started({ ...server, name: `mcp (${transport})`, ...(drainMs === undefined ? {} : { drainMs }) });
      if (status !== undefined) ofTransport = status;
      if (ofFiles !== undefined) reload = ofFiles;
      stop = async () => {
        await answered(answerDrainMs);
        catalog.close();
        availability?.close();
        await end();
        await cluster?.close();
      };
    });
    api.hooks.dispose.tapPromise('mcp', () => stop());
  },
});

/** Time that requests other than calls have to end when the server stops, in milliseconds. */
const answerDrainMs = 1000;

function logHidden({ logger }: PluginApi, visible: readonly Tool[], { isAvailable }: Availability): void {
  const hidden = visible.filter((tool) => !isAvailable(tool)).length;
  if (hidden === 0) return;
  const [count, pronoun] = hidden === 1 ? ['1 tool lacks', 'it is'] : [`${hidden} tools lack`, 'they are'];
  logger.info(`${count} a secret, so ${pronoun} not listed ("onlyAvailable"): "toolkit doctor" says which secret, by provider`);
}

/** Maximum number of names in a log line. */
const maxNames = 4;

function warnOfUnverifiedApproval({ kernel, logger }: PluginApi, visible: readonly Tool[]): void {
  const names = toolsWithUnverifiedApproval(kernel, visible);
  if (names.length === 0) return;
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  logger.warn(
    `${names.length === 1 ? '1 tool that requires approval can run' : `${names.length} tools that require approval can run`} when the model itself says that a person agreed: ${names.slice(0, maxNames).join(', ')}${more}. "--approval elicit", without elicitFallback, has the server ask the person; "toolkit doctor" lists them`,
  );
}

/** Estimated tokens above which the size of the tool list is logged. */
const largeListTokens = 25_000;

function warnOfListSize({ logger }: PluginApi, { tools, tokens }: ListSize): void {
  if (tokens <= largeListTokens) return;
  logger.warn(
    `the list of all ${tools} tools takes about ${formatNumber(tokens)} tokens of a model's context. "--expose auto" lists the few tools that find and call the others, except to clients that search tools themselves; "--tools" offers fewer`,
  );
}

/** Returns a number with separators: `67,285`. Node's `Intl` takes too long to load at a start. */
function formatNumber(integer: number): string {
  return String(integer).replace(/\B(?=(\d{3})+$)/g, ',');
}
