import type { Finding } from './finding.ts';
import type { CheckServices, ConfiguredCheck } from './kernel-api.ts';
import type { MaybePromise } from './time/maybe-promise.ts';

/** A check of a plugin for `toolkit doctor`. */
export interface PluginCheck<Options> {
  /** The subject, which decides the position in the report. */
  readonly name: string;
  /** True for a check that runs only when its subject is asked for, as by `toolkit doctor --store`. @default false */
  readonly isThorough?: boolean;
  /** Returns the findings, none when there is nothing to report. Runs no tool. An error is reported as `not checked`. */
  run(options: Options, services: CheckServices): MaybePromise<readonly Finding[]>;
}

/** Returns the checks with these options. */
export function configureChecks<Options>(checks: readonly PluginCheck<Options>[], options: Options): readonly ConfiguredCheck[] {
  return checks.map((check) => ({
    name: check.name,
    isThorough: check.isThorough === true,
    run: (services) => check.run(options, services),
  }));
}
