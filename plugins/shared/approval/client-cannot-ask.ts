import { type PluginApi, ToolkitError } from '../../../kernel/index.ts';

/** Message for the model when its client cannot ask, and nothing else can decide. */
export const cannotAsk =
  'A person must be asked, and this client cannot do that (it declares no form elicitation). Tell the person you work for';

/** Stage of the hook. Late, so that other plugins may decide first. */
const last = 1000;

/**
 * Refuses a model's call that needs approval for a reason of this kind, when no plugin has decided and the client cannot ask. Does not
 * refuse when the client can ask its person. Throws APPROVAL_REQUIRED.
 */
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
