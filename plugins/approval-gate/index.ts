import {
  type ApprovalDecision,
  type ApprovalRequest,
  apiVersion,
  ask,
  type CallContext,
  type DraftCall,
  definePlugin,
  type ErrorDetails,
  isPlainObject,
  type Tool,
  type ToolDefinition,
  ToolkitError,
} from '../../kernel/index.ts';
import { approvalPractice } from '../shared/approval/approval-practice.ts';
import { approvalSubject } from '../shared/approval/approval-subject.ts';
import { approvalWays } from '../shared/approval/approval-ways.ts';
import { askPerson } from '../shared/approval/ask-person.ts';
import { cannotAsk } from '../shared/approval/client-cannot-ask.ts';
import { pendingCommands } from './commands.ts';
import { gateFlags } from './flags.ts';
import { askHost } from './host-approval.ts';
import { ApprovalGateOptionsSchema, type GateSettings, gateSettings } from './options.ts';
import { tapPendingChanges } from './pending-change-approval.ts';
import { refusals } from './refusals.ts';

export type { GateRequest, OnApproval } from './host-approval.ts';
export type { ApprovalGateOptions } from './options.ts';

/** Late stage: sees the parameters after all other plugins, and refuses last when no plugin has decided. */
const lastStage = 1000;

const gateReason = 'its definition requires approval';

const flagAdvice = 'Ask the person you work for; when they agree, call it again with the argument _toolkit_approved: true';

/**
 * Enforces `requires_approval` for calls of a model; calls of host code pass. In flag mode a call runs when the caller claims that a person agreed
 * (`_toolkit_approved: true` over MCP), as the specification demands. That unverified claim is ignored in the other modes (but see
 * `elicitFallback`), and when the client of the call can ask its person (`CallClient.approve`). Also enforces `activates`, where the claim is ignored in every mode.
 */
export const approvalGate = definePlugin({
  name: 'approval-gate',
  apiVersion,
  optionsSchema: ApprovalGateOptionsSchema,
  commands: pendingCommands,
  flags: gateFlags,
  apply(kernel, options) {
    const settings = gateSettings(options, kernel);
    kernel.extend.fact(approvalPractice, { kind: 'gate', mode: settings.mode, isDefault: options.mode === undefined });
    kernel.hooks.serve.tapPromise('record of the active tools', async () => {
      const { recordServedTools } = await import('../shared/pinned-code/active-record.ts');
      recordServedTools(kernel);
    });
    if (options.onApproval !== undefined)
      kernel.extend.fact(approvalWays, { way: 'onApproval', names: ['onApproval'], kinds: ['gate', 'activation'] });
    const gate = kernel.extend.definitionKey('requires_approval');
    if (options.key !== undefined) kernel.maskAlso('approval-gate key', options.key);
    if (options.stateFolder !== undefined) kernel.extend.controlFiles(options.stateFolder, { what: 'used approvals', read: false });
    if (settings.mode === 'strict') kernel.extend.approvalProof('token');
    if (settings.mode === 'elicit' && !settings.takesFlag) kernel.extend.approvalProof('none');
    const isGateable = (tool: Tool): boolean => (gate.of(tool) ?? false) !== false;
    kernel.hooks.beforeExecute.tap({ name: 'approval-gate', stage: lastStage, appliesTo: isGateable }, (draft, context) => {
      if (draft.origin !== 'model' || !isGated(draft, gate.of(draft.tool))) return undefined;
      const acceptsClaim = settings.mode === 'flag' && context.client.approve === undefined;
      const claim = takesClaim(settings, context) ? { takesClaim: true as const } : {};
      return ask(draft, { kind: 'gate', message: acceptsClaim ? `${gateReason}. ${flagAdvice}` : gateReason, ...claim });
    });
    kernel.hooks.approve.tapPromise('approval-gate', async (request, context) =>
      request.reason.kind === 'gate' ? decide(settings, request, context) : undefined,
    );
    tapPendingChanges(kernel, settings, lastStage);
    if (settings.mode === 'flag') return;
    kernel.hooks.approve.tap({ name: 'undecided', stage: lastStage }, ({ reason, call }, context) => {
      if (reason.kind === 'gate')
        throw approvalRequiredError(call, `${gateReason}. ${adviceFor(settings, context)}`, missingCapabilities(settings, context));
      return undefined;
    });
  },
});

/** True when no person is asked: the caller's claim decides. */
function takesClaim(settings: GateSettings, { client }: CallContext): boolean {
  if (client.approve !== undefined) return false;
  if (settings.mode === 'flag') return true;
  return settings.mode === 'elicit' && settings.takesFlag && settings.onApproval === undefined && client.elicit === undefined;
}

async function decide(settings: GateSettings, request: ApprovalRequest, context: CallContext): Promise<ApprovalDecision | undefined> {
  const { call } = request;
  const flag =
    call.approved === true && request.changed === undefined ? ({ approved: true, by: 'flag', isClaim: true } as const) : undefined;
  if (settings.mode === 'flag') return context.client.approve === undefined ? flag : askPerson(request, context);
  if (settings.mode === 'strict') {
    const { onApproval, tokens } = settings;
    if (call.approval === undefined) {
      const decision = onApproval === undefined ? undefined : await askHost(onApproval, request, context, tokens);
      return decision ?? askPerson(request, context);
    }
    const subject = await approvalSubject(request);
    const refused = await tokens.consume(call.approval, subject);
    if (refused === undefined) return { approved: true, by: 'token', decider: { way: 'token', name: 'token' } };
    const changed = refused === 'foreign' ? tokens.describeChanges(call.approval, subject) : [];
    const problem =
      changed.length === 0
        ? refusals[refused]
        : `is not for this call: ${changed.join(' and ')} ${changed.length === 1 ? 'is' : 'are'} not what was approved`;
    throw approvalRequiredError(call, `its approval token ${problem}`);
  }
  const { onApproval, takesFlag } = settings;
  const decision = onApproval === undefined ? undefined : await askHost(onApproval, request, context);
  return decision ?? (await askPerson(request, context)) ?? (takesFlag ? flag : undefined);
}

function adviceFor(settings: Exclude<GateSettings, { mode: 'flag' }>, { client }: CallContext): string {
  if (settings.mode === 'strict' && settings.onApproval !== undefined)
    return 'The person responsible has not decided yet. When they give you an approval token, make the same call again with the argument _toolkit_approved: "<token>"';
  if (settings.mode === 'elicit' && settings.takesFlag && client.elicit === undefined) return flagAdvice;
  if (settings.onApproval !== undefined) return 'The person responsible has not decided. Tell the person you work for';
  return cannotAsk;
}

/** Names the capability that the client lacks, when only the client could have the call decided. */
function missingCapabilities(settings: Exclude<GateSettings, { mode: 'flag' }>, { client }: CallContext): ErrorDetails {
  const isLeftToClient = settings.onApproval === undefined && !(settings.mode === 'elicit' && settings.takesFlag);
  return isLeftToClient && client.elicit === undefined ? { clientLacks: ['elicit'] } : {};
}

function approvalRequiredError({ tool, verdict }: DraftCall, reason: string, details: ErrorDetails = {}): ToolkitError {
  return new ToolkitError('APPROVAL_REQUIRED', `"${tool.name}" needs approval and was not run: ${reason}.`, {
    tool: tool.name,
    reasons: verdict.reasons,
    ...details,
  });
}

/**
 * True when the call needs approval. `true` always does. A map does when any parameter in it has the given value, or one of a list of values. An
 * invalid map always does: one that is empty, has an empty list, or names an unknown parameter.
 */
function isGated({ tool, parameters }: DraftCall, gate: ToolDefinition['requires_approval']): boolean {
  if (typeof gate !== 'object') return gate === true;
  const conditions = Object.entries(gate);
  const matches = ([name, value]: [string, unknown]): boolean => {
    const values = [value].flat();
    if (!Object.hasOwn(tool.parameters, name) || values.length === 0) return true;
    return values.some((one) => canonical(parameters[name]) === canonical(one));
  };
  return conditions.length === 0 || conditions.some(matches);
}

/** Returns JSON with sorted keys. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, member: unknown) =>
    isPlainObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
