import type { CredentialNeed } from '../../definition/schema/credentials.ts';
import type { Tool } from '../../definition/schema/tool.ts';
import type { Preview } from '../../discovery/live-registry.ts';
import { missingSecrets } from '../../secrets/bind-credentials.ts';
import type { Span } from '../../trace/span.ts';
import type { CallRequest } from '../request.ts';
import type { CallServices } from './services.ts';
import type { ToolView } from './tool-view.ts';

/** Returns the tools that the caller of a call may see and call. `signal`: the signal of the call. `previewed`: the reload that a person reviewed. `span`: that of the call. */
export function toolView(
  services: CallServices,
  request: CallRequest,
  signal: () => AbortSignal,
  previewed: () => Promise<Preview> | undefined,
  span: Span | undefined,
): ToolView {
  const isVisible = request.isVisible ?? (() => true);
  const isListed = request.isListed ?? (() => true);
  const { caller, tenant, accountTenant, origin, onProgress, client, credentials } = request;
  return {
    list: () => [...services.registry().tools.values()].filter((tool) => isVisible(tool) && isListed(tool)),
    get: (name) => services.registry().get(name, isVisible),
    missingSecrets: async (names) => {
      const tools = names.map((name) => services.registry().get(name, isVisible));
      const secrets = tools.flatMap(({ credentials }) => credentials.map(({ secret }) => secret));
      const owner = { caller: caller ?? 'default', tenant: accountTenant ?? tenant ?? caller ?? 'default' };
      const { lacking, promised, get: stored } = await services.callerSecrets.known(owner, secrets);
      const isKnown = ({ credentials }: Tool, { secret, deriveFrom }: CredentialNeed): boolean => {
        // Only the value itself says what can be derived from it.
        const source = credentials.find(({ name }) => name === deriveFrom?.parameter);
        const isDerived = source !== undefined && promised.has(source.secret);
        return stored(secret) !== undefined || (lacking.has(secret) && !isDerived);
      };
      const known = tools.filter((tool) => tool.credentials.every((need) => isKnown(tool, need)));
      const missing = known.map(({ name, credentials }) => [name, missingSecrets(credentials, stored)] as const);
      return new Map(missing.filter(([, secrets]) => secrets.length > 0));
    },
    skills: () => [...services.registry().skills.values()],
    reload: async () => {
      const isModel = origin === 'model';
      return (await (isModel ? services.live.reloadReviewed(await previewed(), request.tool) : services.live.reload())).problems;
    },
    check: services.check,
    call: (name, parameters, approved) =>
      services.call({
        tool: name,
        parameters,
        isVisible,
        isListed,
        signal: signal(),
        ...(approved === true ? { approved } : {}),
        ...(typeof approved === 'string' ? { approval: approved } : {}),
        ...(caller === undefined ? {} : { caller }),
        ...(tenant === undefined ? {} : { tenant }),
        ...(accountTenant === undefined ? {} : { accountTenant }),
        ...(origin === undefined ? {} : { origin }),
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(client === undefined ? {} : { client }),
        ...(typeof credentials === 'function' ? { credentials } : {}),
        ...(span === undefined ? {} : { trace: { within: span } }),
      }),
  };
}
