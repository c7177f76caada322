import type { CallRequest, CallServices } from '../call-request.ts';
import type { ToolView } from '../hooks.ts';
import type { Preview } from './live-registry.ts';

/** The tools as the caller of one call may see and call them. `signal`: that of the call; `previewed`: what a person was asked about. */
export function toolView(
  services: CallServices,
  request: CallRequest,
  signal: () => AbortSignal,
  previewed: () => Promise<Preview> | undefined,
): ToolView {
  const isVisible = request.isVisible ?? (() => true);
  const { caller, tenant, origin, onProgress, client } = request;
  return {
    list: () => [...services.registry().tools.values()].filter(isVisible),
    get: (name) => services.registry().get(name, isVisible),
    skills: () => [...services.registry().skills.values()],
    reload: async () => {
      const isModel = origin === 'model';
      return (await (isModel ? services.live.reloadShown(await previewed(), request.tool) : services.live.reload())).problems;
    },
    check: services.check,
    call: (name, parameters, approved) =>
      services.call({
        tool: name,
        parameters,
        isVisible,
        signal: signal(),
        ...(approved === true ? { approved } : {}),
        ...(typeof approved === 'string' ? { approval: approved } : {}),
        ...(caller === undefined ? {} : { caller }),
        ...(tenant === undefined ? {} : { tenant }),
        ...(origin === undefined ? {} : { origin }),
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(client === undefined ? {} : { client }),
      }),
  };
}
