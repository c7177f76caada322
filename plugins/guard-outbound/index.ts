import { createHash } from 'node:crypto';
import net from 'node:net';
import Type from 'typebox';
import { apiVersion, definePlugin, excerpt, type OutboundOptions, ToolkitError, toUrl } from '../../kernel/index.ts';
import { outboundGuard } from '../shared/http/outbound-guard.ts';
import { blockedAddressError, isPublic } from './addresses.ts';
import { AgentPool } from './agent-pool.ts';
import { GuardedDispatcher } from './guarded-dispatcher.ts';
import { HostList, parseHostEntry, type Target } from './host-list.ts';
import { OriginBoundDispatcher } from './origin-bound-dispatcher.ts';
import { parseTarget } from './parse-target.ts';
import { type TlsOptions, targetOf } from './pinned-agent.ts';
import { Proxies } from './proxies.ts';

/**
 * Keeps tools from reaching addresses that are not on the public internet. Every connection is checked when it is opened,
 * after the name is resolved, so that neither a redirect nor a changing DNS answer gets past. A host that is written in the
 * operator's own definition is allowed, on the port that is written there.
 *
 * With HTTPS_PROXY or HTTP_PROXY in the environment, requests go through that proxy. Their names are checked beforehand, if
 * they have an address here; the proxy chooses the address that it connects to. Connections that are not made with fetch use
 * no proxy.
 */
export const guardOutbound = definePlugin({
  name: 'guard-outbound',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /**
       * Host names (`*.corp.example` for all subdomains), addresses and CIDR ranges that are allowed although they are not public. A
       * port (`shop.example:8080`, `[fd00::1]:8080`) allows that port only. @default []
       */
      allowHosts: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { mistaken_names: ['allow'] })),
      /** The environment with HTTPS_PROXY, HTTP_PROXY and NO_PROXY. @default process.env */
      env: Type.Optional(Type.Record(Type.String(), Type.String())),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { allowHosts = [], env = process.env as Record<string, string> }) {
    kernel.extend.fact(outboundGuard, true);
    const allowList = parseAllowList(allowHosts);
    const proxies = new Proxies(env);
    for (const secret of proxies.secrets) kernel.maskAlso('PROXY_CREDENTIALS', secret);
    let isProxyLogged = false;
    const onProxy = ({ url }: { readonly url: string }): void => {
      if (isProxyLogged) return;
      isProxyLogged = true;
      kernel.logger.info('requests of tools go through a proxy, which resolves names itself: it must block private networks', {
        proxy: url,
      });
    };
    const agents = new AgentPool();
    const isNamed = (target: Target, ownHost: string): boolean => hostAndPort(target) === ownHost || allowList.hasName(target);
    const isAllowed = (target: Target, address: string, ownHost: string): boolean =>
      isNamed(target, ownHost) || isPublic(address) || allowList.hasAddress(address, target.port);
    const agentFor = (ownHost: string, tls: TlsOptions): Promise<GuardedDispatcher> =>
      agents.get([ownHost, fingerprintOf(tls)].join(' '), () =>
        GuardedDispatcher.open({
          isAllowed: (target, address) => isAllowed(target, address, ownHost),
          isNamedByOperator: (target) => isNamed(target, ownHost),
          proxies,
          onProxy,
          tls,
        }),
      );
    kernel.extend.fetch((next) => async (input, init, options = {}) => {
      const url = toUrl(input instanceof Request ? input.url : input);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') {
        throw new ToolkitError('OUTBOUND_BLOCKED', `Requests over "${url.protocol}" are blocked: expected http or https.`, {
          host: url.host,
        });
      }
      const target = targetOf(url);
      const ownHost = isOperatorsHost(options) ? hostAndPort(target) : '';
      // fetch refuses some URLs, such as those with a user name, before it connects.
      if (net.isIP(target.host) !== 0 && !isAllowed(target, target.host, ownHost)) throw blockedAddressError(target.host, target.host);
      const { clientCertificate, verifyCertificate = true, ...rest } = options;
      const tls: TlsOptions = { ...clientCertificate, ...(verifyCertificate ? {} : { rejectUnauthorized: false }) };
      const follows = (init?.redirect ?? (input instanceof Request ? input.redirect : 'follow')) === 'follow';
      const hasCertificate = clientCertificate !== undefined;
      const dispatcher = new OriginBoundDispatcher(await agentFor(ownHost, tls), url.origin, { hasCertificate, follows });
      try {
        return await next(input, { ...init, dispatcher } as unknown as RequestInit, rest);
      } catch (error) {
        throw findToolkitError(error) ?? error;
      }
    });
    kernel.extend.addresses((next) => async (host, port, options = {}) => {
      const target = parseTarget(host, port);
      const ownHost = isOperatorsHost(options) ? hostAndPort(target) : '';
      const found = await next(target.host, port, options);
      const blockedAddress = found.find(({ address }) => !isAllowed(target, address, ownHost));
      if (blockedAddress !== undefined) throw blockedAddressError(target.host, blockedAddress.address);
      return found;
    });
    kernel.hooks.dispose.tapPromise('guard-outbound', async () => {
      await agents.close();
    });
  },
});

function parseAllowList(hosts: readonly string[]): HostList {
  return new HostList(
    hosts.map((entry) => {
      const parsed = parseHostEntry(entry);
      if (parsed !== undefined) return parsed;
      const message = `expected a host name without scheme and path, "*." and a name, an address, or a CIDR range such as 10.0.0.0/8, each with or without ":" and a port, received "${excerpt(entry)}"`;
      throw new ToolkitError('PLUGIN_INVALID', `The options of plugin "guard-outbound" are wrong: allowHosts ${message}.`, {
        issues: [{ path: 'allowHosts', message }],
      });
    }),
  );
}

function isOperatorsHost({ hostFrom, trust }: OutboundOptions): boolean {
  return hostFrom === 'definition' && trust === 'operator';
}

function hostAndPort({ host, port }: Target): string {
  return `${host}:${port}`;
}

function fingerprintOf(tls: TlsOptions): string {
  return Object.keys(tls).length === 0 ? '' : createHash('sha256').update(JSON.stringify(tls)).digest('base64url');
}

/** Finds the ToolkitError among the causes of an error: fetch wraps failures in a TypeError. */
function findToolkitError(error: unknown): ToolkitError | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (ToolkitError.is(cause)) return cause;
  return undefined;
}
