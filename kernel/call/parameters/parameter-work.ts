import type { Tool } from '../../definition/schema/tool.ts';
import { refuseCostlyParameters } from '../../json/cost.ts';
import { ownSecrets, ownSecretsInSlices, type SecretCandidates } from '../../secrets/own-secrets.ts';
import type { Redactor } from '../../secrets/redact.ts';
import { LongWork } from '../../time/long-work.ts';
import type { MaybePromise } from '../../time/maybe-promise.ts';
import { checkParameters, checkParametersInSlices, type ParametersFrom } from './check-parameters.ts';

/** The steps that check parameters: at once, or in slices for large ones, so that other calls are not blocked. */
export interface ParameterWork {
  refuseCostly(tool: Tool, given: unknown): MaybePromise<void>;
  secretsOf(tool: Tool, brought: SecretCandidates, names: ReadonlySet<string>): MaybePromise<Redactor | undefined>;
  check(tool: Tool, given: unknown, from: ParametersFrom): MaybePromise<Readonly<Record<string, unknown>>>;
}

export const largeParameters: ParameterWork = {
  async refuseCostly(tool, given) {
    // Reading the parameters took long, so other calls go first.
    await new LongWork().yieldToEventLoop();
    refuseCostlyParameters(tool, given);
  },
  secretsOf: ownSecretsInSlices,
  check: checkParametersInSlices,
};

export const smallParameters: ParameterWork = { refuseCostly: refuseCostlyParameters, secretsOf: ownSecrets, check: checkParameters };
