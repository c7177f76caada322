import { messageOf, type PluginFactory } from '../../../../kernel/index.ts';
import { cachingChecks } from './checks/caching.ts';
import { callingChecks } from './checks/calling.ts';
import { discoveringChecks } from './checks/discovering.ts';
import { endingChecks } from './checks/ending.ts';
import { importingChecks } from './checks/importing.ts';
import { listingChecks } from './checks/listing.ts';
import { optionsChecks } from './checks/options.ts';
import { secretsChecks } from './checks/secrets.ts';
import { shapeChecks } from './checks/shape.ts';
import { startingChecks } from './checks/starting.ts';
import type { ContractCheck } from './contract-check.ts';
import { type PluginCheckOptions, SkippedCheck, Subject } from './subject.ts';

/** A behaviour that a plugin must have, for a test runner: `for (const { title, run } of pluginChecks(plugin)) it(title, run);` */
export interface PluginCheck {
  readonly title: string;
  /** Rejects with the problem and what to do. */
  readonly run: () => Promise<void>;
}

const contract: readonly ContractCheck[] = [
  ...importingChecks,
  ...shapeChecks,
  ...optionsChecks,
  ...startingChecks,
  ...discoveringChecks,
  ...listingChecks,
  ...callingChecks,
  ...cachingChecks,
  ...secretsChecks,
  ...endingChecks,
];

/**
 * Returns the contract of plugins as checks, each of which may be a test. They run the plugin with these options in kernels of their own, with sample tools,
 * and close them. A check that cannot run, because another one fails, passes.
 */
export function pluginChecks<Options>(
  factory: PluginFactory<Options>,
  options?: Options,
  settings: PluginCheckOptions = {},
): readonly PluginCheck[] {
  const subject = new Subject(factory as PluginFactory<unknown>, options, settings);
  const checks = settings.module === undefined ? contract.filter((check) => !importingChecks.includes(check)) : contract;
  return checks.map(({ title, run }) => ({
    title,
    run: async () => {
      try {
        await run(subject);
      } catch (error) {
        if (!(error instanceof SkippedCheck)) throw error;
      }
    },
  }));
}

/** Runs all `pluginChecks`. Returns the failures, each as `<title>: <problem, and what to do>`. */
export async function checkPlugin<Options>(
  factory: PluginFactory<Options>,
  options?: Options,
  settings: PluginCheckOptions = {},
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const { title, run } of pluginChecks(factory, options, settings))
    await run().catch((error: unknown) => failures.push(`${title}: ${messageOf(error)}`));
  return failures;
}
