import { createHash } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import net from 'node:net';
import Type from 'typebox';
import type { Agent } from 'undici';
import { apiVersion, type ClientCertificate, definePlugin, type OutboundOptions, ToolkitError } from '../../kernel/index.ts';
import { AllowList, blocked, isPublic } from './addresses.ts';
import { AgentPool } from './agent-pool.ts';

/**
 * Keeps tools from reaching addresses that are not on the public internet. Every connection is checked where it is made, after the
 * name is resolved, so that neither a redirect nor a DNS answer that changes gets past. A host that is written in the operator's own
 * definition is allowed.
 */
export const guardOutbound = definePlugin({
  name: 'guard-outbound',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Host names (`*.corp.example` for all below it), addresses and CIDR ranges that are allowed although they are not public. */
      allow: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { allow = [] }) {
    const allowList = new AllowList(allow);
    const isAllowed = (host: string, address: string, ownHost: string): boolean =>
      host === ownHost || allowList.hasHost(host) || isPublic(address) || allowList.hasAddress(address);
    const agents = new AgentPool();
    const agentFor = (ownHost: string, certificate: ClientCertificate | undefined): Promise<Agent> =>
      agents.get([ownHost, fingerprintOf(certificate)].join(' '), () =>
        openAgent((host, address) => isAllowed(host, address, ownHost), certificate),
      );
    kernel.extend.fetch((next) => async (input, init, options = {}) => {
      const url = new URL(input instanceof Request ? input.url : input);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw new ToolkitError('OUTBOUND_BLOCKED', `Requests over "${url.protocol}" are blocked: expected http or https.`, {
          host: url.host,
        });
      }
      const host = bare(url.hostname);
      const ownHost = isOperatorsHost(options) ? host : '';
      // fetch refuses some URLs, such as those with a user name, before it connects.
      if (net.isIP(host) !== 0 && !isAllowed(host, host, ownHost)) throw blocked(host, host);
      const { clientCertificate, ...rest } = options;
      const dispatcher = await agentFor(ownHost, clientCertificate);
      try {
        return await next(input, { ...init, dispatcher } as unknown as RequestInit, rest);
      } catch (error) {
        throw guardError(error) ?? error;
      }
    });
    kernel.hooks.dispose.tapPromise('guard-outbound', async () => {
      await agents.close();
    });
  },
});

function isOperatorsHost({ hostFrom, trust }: OutboundOptions): boolean {
  return hostFrom === 'definition' && trust === 'operator';
}

async function openAgent(
  isAllowed: (host: string, address: string) => boolean,
  certificate: ClientCertificate | undefined,
): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  const { lookup } = await import('node:dns');
  const checkedLookup: net.LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const wrong = error === null ? addresses.find(({ address }) => !isAllowed(hostname, address)) : undefined;
      const problem = error ?? (wrong === undefined ? null : blocked(hostname, wrong.address));
      const [first] = addresses ?? [];
      if (problem !== null) callback(problem as NodeJS.ErrnoException, options.all ? [] : '', 4);
      else if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family ?? 4);
    });
  };
  const connect = buildConnector({ lookup: checkedLookup, ...certificate });
  return new Agent({
    connect: (options, callback) => {
      const host = bare(options.hostname);
      // A literal address is never looked up.
      if (net.isIP(host) !== 0 && !isAllowed(host, host)) callback(blocked(host, host), null);
      else connect(options, callback);
    },
  });
}

function fingerprintOf(certificate: ClientCertificate | undefined): string {
  return certificate === undefined ? '' : createHash('sha256').update(JSON.stringify(certificate)).digest('base64url');
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** fetch wraps what went wrong in a TypeError. */
function guardError(error: unknown): ToolkitError | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (ToolkitError.is(cause)) return cause;
  return undefined;
}
