import { type AdaptableOptions, type CommandInvocation, type Kernel, ToolkitError, type WorkOptions } from '../../../../kernel/index.ts';
import { providerOf } from '../../../shared/exposure/provider-of.ts';
import { namedTools } from '../../../shared/exposure/tool-filter.ts';
import { matcher } from '../../../shared/exposure/wildcard.ts';
import { StoreProbe } from '../../../shared/state/store-probe.ts';
import { requireEngine } from '../calls/with-calls.ts';
import { workerPlugin } from './worker-plugin.ts';

/** Runs durable calls until a signal. Throws when the configuration has no store or no engine, or a name matches nothing. */
export async function runWorker({ flags, createKernel, serve }: CommandInvocation): Promise<void> {
  const { tools, providers } = flags as Pick<WorkOptions, 'tools' | 'providers'>;
  const work = {
    concurrency: Number(flags['concurrency']),
    ...(tools === undefined ? {} : { tools }),
    ...(providers === undefined ? {} : { providers }),
  };
  const probe = new StoreProbe();
  const { drainMs, healthPort, healthHost } = flags;
  const health = healthPort === undefined ? {} : { health: { port: Number(healthPort), host: String(healthHost) } };
  const worker = workerPlugin({ drainMs: Number(drainMs), ...health });
  const adapt = (options: AdaptableOptions): AdaptableOptions => ({ ...options, plugins: [...options.plugins, probe.plugin, worker] });
  const kernel = await createKernel({}, adapt);
  try {
    await requireEngine(kernel.calls);
    if (probe.state?.isShared !== true) throw noStoreError();
    checkNames(kernel, work);
  } catch (error) {
    await kernel.close();
    throw error;
  }
  await serve(kernel, { work });
}

/** Throws CONFIG_INVALID for a name that matches nothing: the worker would wait forever. */
function checkNames({ registry }: Kernel, { tools, providers = [] }: WorkOptions): void {
  const all = [...registry.tools.values()];
  namedTools(
    '--tools',
    tools,
    all.map(({ name }) => name),
  );
  const known = [...new Set(all.filter(({ provider }) => provider !== undefined).map(providerOf))].sort();
  const stray = providers.find((entry) => !known.some(matcher(entry)));
  if (stray === undefined) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `"${stray}" in "--providers" matches no provider. Those there are: ${known.join(', ') || 'none'}.`,
  );
}

function noStoreError(): ToolkitError {
  return new ToolkitError(
    'CONFIG_INVALID',
    'A worker runs calls that other processes have submitted, and this configuration has no store in which it would find them. List storeLibsql() ("toolkit/plugins/store-libsql") on one machine, storePostgres() with engineBullmq() on several.',
  );
}
