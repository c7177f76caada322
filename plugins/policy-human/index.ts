import Type from 'typebox';
import { apiVersion, ask, definePlugin, type Risk, RiskSchema, riskLevels, ToolkitError } from '../../kernel/index.ts';
import { approvalPractice } from '../shared/approval/approval-practice.ts';
import { approvalWays } from '../shared/approval/approval-ways.ts';
import { askPerson } from '../shared/approval/ask-person.ts';
import { refuseWhereClientCannotAsk } from '../shared/approval/client-cannot-ask.ts';
import { type HumanRequest, humanRequest } from '../shared/approval/human-request.ts';
import { versionDigest } from '../shared/approval/version-digest.ts';

export type { HumanRequest } from '../shared/approval/human-request.ts';

/** Asks a person. True approves, anything else refuses. `signal` aborts when the call has ended without an answer. */
export type OnHITL = (request: HumanRequest, signal: AbortSignal) => Promise<boolean> | boolean;

/**
 * Asks a person about every call at or above a risk level, from any caller, whatever the approval gate decides. Refuses the call when there is
 * nobody to ask, on a throw, and for any answer but `true`.
 */
export const policyHuman = definePlugin({
  name: 'policy-human',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Turns the plugin on. @default false */
      enableHITL: Type.Optional(Type.Boolean()),
      /** The lowest risk level that needs a person. @default 'high' */
      hitlMinRiskLevel: Type.Optional(RiskSchema),
      /** Asks a person in the host's own way. @default asks the person at the client, where the client can ask (MCP, Elicitation) */
      onHITL: Type.Optional(Type.Unsafe<OnHITL>({})),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { enableHITL, hitlMinRiskLevel = 'high', onHITL }) {
    if (onHITL !== undefined && typeof onHITL !== 'function') throw optionsError('onHITL expected a function (request) => boolean');
    // A host that passes a callback expects that it is called.
    if (onHITL !== undefined && enableHITL === undefined)
      throw optionsError(
        'onHITL is asked only with "enableHITL: true" beside it, in "policyConfig" of a Toolkit. Say that, or false to ask nobody',
      );
    if (enableHITL !== true) return;
    kernel.extend.fact(approvalPractice, { kind: 'person', minRisk: hitlMinRiskLevel as Risk });
    if (onHITL !== undefined) kernel.extend.fact(approvalWays, { way: 'onHITL', names: ['onHITL'], kinds: ['human'] });
    const isAtLeast = (risk: Risk): boolean => riskLevels.indexOf(risk) >= riskLevels.indexOf(hitlMinRiskLevel as Risk);
    const version = versionDigest({ minRisk: hitlMinRiskLevel });
    kernel.hooks.beforeExecute.tap('policy-human', (draft) => {
      const { risk } = draft.tool;
      if (!isAtLeast(risk)) return undefined;
      return ask(draft, {
        kind: 'human',
        message: `its risk is ${risk}, and calls of risk ${hitlMinRiskLevel} and above are put to a person`,
        version,
      });
    });
    kernel.hooks.approve.tapPromise('policy-human', async (request, context) => {
      if (request.reason.kind !== 'human') return undefined;
      if (onHITL === undefined) return askPerson(request, context);
      if (context.isTrial) return { approved: true, by: 'trial' };
      const approved = (await onHITL(humanRequest(request), context.signal)) === true;
      return { approved, by: 'onHITL', decider: { way: 'onHITL', name: 'onHITL' } };
    });
    refuseWhereClientCannotAsk(kernel, 'human');
  },
});

function optionsError(message: string): ToolkitError {
  return new ToolkitError('PLUGIN_INVALID', `The options of plugin "policy-human" are wrong: ${message}.`, { plugin: 'policy-human' });
}
