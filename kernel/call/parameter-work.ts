import type { Tool } from '../definition/tool.ts';
import { refuseCostlyParameters } from '../schema/cost.ts';
import { type Brought, ownSecrets, ownSecretsInSlices } from '../secrets/own-secrets.ts';
import type { Redactor } from '../secrets/redact.ts';
import type { Maybe } from '../taps/run-taps.ts';
import { LongWork } from '../time/long-work.ts';
import { checkParameters, checkParametersInSlices, type ParametersFrom } from './check-parameters.ts';

/** How the parameters of a call are taken: at once, or in slices, so that others need not wait for all of it. */
export interface ParameterWork {
  refuseCostly(tool: Tool, given: unknown): Maybe<void>;
  secretsOf(tool: Tool, brought: Brought, names: ReadonlySet<string>): Maybe<Redactor | undefined>;
  check(tool: Tool, given: unknown, from: ParametersFrom): Maybe<Readonly<Record<string, unknown>>>;
}

export const largeParameters: ParameterWork = {
  async refuseCostly(tool, given) {
    // They have just been read, which takes as long.
    await new LongWork().rest();
    refuseCostlyParameters(tool, given);
  },
  secretsOf: ownSecretsInSlices,
  check: checkParametersInSlices,
};

export const smallParameters: ParameterWork = { refuseCostly: refuseCostlyParameters, secretsOf: ownSecrets, check: checkParameters };
