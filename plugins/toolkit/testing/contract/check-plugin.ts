import { messageOf, type PluginFactory } from '../../../../kernel/index.ts';
import { callingChecks } from './checks/calling.ts';
import { discoveringChecks } from './checks/discovering.ts';
import { endingChecks } from './checks/ending.ts';
import { importingChecks } from './checks/importing.ts';
import { keepingChecks } from './checks/keeping.ts';
import { listingChecks } from './checks/listing.ts';
import { optionsChecks } from './checks/options.ts';
import { secretsChecks } from './checks/secrets.ts';
import { shapeChecks } from './checks/shape.ts';
import { startingChecks } from './checks/starting.ts';
import type { ContractCheck } from './contract-check.ts';
import { type PluginCheckOptions, Subject, Unreached } from './subject.ts';

/** One thing that a plugin must keep, for a test runner: `for (const { title, run } of pluginChecks(plugin)) it(title, run);` */
export interface PluginCheck {
  readonly title: string;
  /** Rejects with what is wrong and what to do. */
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
  ...keepingChecks,
  ...secretsChecks,
  ...endingChecks,
];

/**
 * The contract of plugins as checks, each of which may be a test. They run the plugin with these options in kernels of their own, call tools
 * beside it, and close. A check to which the plugin does not come, because another one fails before, passes.
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
        if (!(error instanceof Unreached)) throw error;
      }
    },
  }));
}

/** Runs all of `pluginChecks`. Gives what is wrong, each as `<title>: <what, and what to do>`. */
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
