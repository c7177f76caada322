import { type PluginApi, ToolkitError } from '../../../kernel/index.ts';

/** What a model is told whose client cannot ask, and nobody else is there to decide. */
export const cannotAsk =
  'A person must be asked, and this client cannot do that (it declares no form elicitation). Tell the person you work for';

/** Late: others may have decided. */
const last = 1000;

/** Refuses a call of a model for a reason of this kind that nobody has decided: a client that can ask its person could have it decided. */
export function refuseWhereClientCannotAsk({ hooks }: Pick<PluginApi, 'hooks'>, kind: string): void {
  hooks.approve.tap({ name: 'client-cannot-ask', stage: last }, ({ reason, call: { tool, verdict, origin } }, { client }) => {
    if (reason.kind !== kind || origin !== 'model' || client.elicit !== undefined || client.approve !== undefined) return undefined;
    throw new ToolkitError('APPROVAL_REQUIRED', `"${tool.name}" needs approval and was not run: ${reason.message}. ${cannotAsk}.`, {
      tool: tool.name,
      reasons: verdict.reasons,
      clientLacks: ['elicit'],
    });
  });
}
