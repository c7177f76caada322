import type { HttpRoute, PluginApi, RunningServer } from '../../kernel/index.ts';
import type { Listener } from './listener/listener.ts';
import type { ListenOptions } from './options.ts';
import { paths } from './paths.ts';

/** The console's own listener, which opens with the server and closes with the kernel. */
export interface OwnListener {
  /** Opens it. Resolves to the file of its self-signed certificate, if any. Throws CONFIG_INVALID. */
  open(routes: readonly HttpRoute[], sink: { started(server: RunningServer): void }): Promise<string | undefined>;
  /** Returns its origin; undefined while it is not open. */
  url(): string | undefined;
}

/** Adds a listener to the kernel. Call it in `apply`: it opens later. */
export function addListener(api: PluginApi, { port, host = '127.0.0.1', tls, allowedHosts }: ListenOptions): OwnListener {
  let listener: Listener | undefined;
  api.extend.reload(() => listener?.reload());
  api.hooks.dispose.tapPromise('console-listener', async () => listener?.close());
  return {
    async open(routes, sink) {
      const { openListener } = await import('./listener/listener.ts');
      const { kernel, logger, cwd } = api;
      const maskAlso = (name: string, value: string): void => api.maskAlso(name, value);
      listener = await openListener({ port, host, tls, routes, kernel, logger, allowedHosts, cwd, maskAlso });
      sink.started({ name: 'console', url: `${listener.url}${paths.shell}`, drainMs: 0 });
      return listener.certificateFile;
    },
    url: () => listener?.url,
  };
}
