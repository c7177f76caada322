import Type from 'typebox';
import { apiVersion, ask, definePlugin, type Risk, RiskSchema, riskLevels, ToolkitError } from '../../kernel/index.ts';

/** What the callback of the human policy is shown. Secrets in the parameters are masked. */
export interface HumanRequest {
  readonly tool: string;
  readonly description: string;
  readonly risk: Risk;
  readonly reason: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly caller: string;
}

/** True approves, anything else refuses. */
export type OnHITL = (request: HumanRequest) => Promise<boolean> | boolean;

/** Puts every call at or above a risk to a person, whoever calls. No callback, a throw, or anything but `true` refuses. */
export const policyHuman = definePlugin({
  name: 'policy-human',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** @default false */
      enableHITL: Type.Optional(Type.Boolean()),
      /** @default 'high' */
      hitlMinRiskLevel: Type.Optional(RiskSchema),
      onHITL: Type.Optional(Type.Unsafe<OnHITL>({})),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { enableHITL = false, hitlMinRiskLevel = 'high', onHITL }) {
    if (!enableHITL) return;
    if (onHITL !== undefined && typeof onHITL !== 'function') {
      throw new ToolkitError(
        'PLUGIN_INVALID',
        'The options of plugin "policy-human" are wrong: onHITL expected a function (request) => boolean.',
        { plugin: 'policy-human' },
      );
    }
    const isAtLeast = (risk: Risk): boolean => riskLevels.indexOf(risk) >= riskLevels.indexOf(hitlMinRiskLevel as Risk);
    kernel.hooks.beforeExecute.tap('policy-human', (draft) => {
      const { risk } = draft.tool;
      if (!isAtLeast(risk)) return undefined;
      return ask(draft, {
        kind: 'human',
        message: `its risk is ${risk}, and calls of risk ${hitlMinRiskLevel} and above are put to a person`,
      });
    });
    kernel.hooks.approve.tapPromise('policy-human', async ({ call, reason, shownParameters }) => {
      if (reason.kind !== 'human' || onHITL === undefined) return undefined;
      const { name: tool, description, risk } = call.tool;
      const approved = await onHITL({ tool, description, risk, reason: reason.message, parameters: shownParameters, caller: call.caller });
      return { approved: approved === true, by: 'onHITL' };
    });
  },
});
