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
import { approvalSubject } from '../shared/approval/approval-subject.ts';
import { askPerson } from '../shared/approval/ask-person.ts';
import { cannotAsk } from '../shared/approval/client-cannot-ask.ts';
import { tapActivation } from './activation.ts';
import { askHost } from './host-approval.ts';
import { ApprovalGateOptionsSchema, type GateSettings, gateSettings } from './options.ts';
import { refusals } from './refusals.ts';

export type { GateRequest, OnApproval } from './host-approval.ts';
export type { ApprovalGateOptions } from './options.ts';

/** Late, so that it sees the parameters as every other plugin has left them; and the last to say that nobody approved. */
const last = 1000;

const because = 'its definition requires approval';

const flagAdvice = 'Ask the person you work for; when they agree, call it again with the argument _toolkit_approved: true';

/**
 * Enforces `requires_approval`. It holds calls that come from a model; calls of host code pass. In flag mode it lets a call through when the
 * caller says that a person agreed (`_toolkit_approved: true` over MCP), as the specification demands. In the other modes that claim counts
 * for nothing, nor where the host of the call has its own way to ask (`CallClient.approve`). It also enforces `activates`, where that claim counts for nothing in any mode.
 */
export const approvalGate = definePlugin({
  name: 'approval-gate',
  apiVersion,
  optionsSchema: ApprovalGateOptionsSchema,
  apply(kernel, options) {
    const settings = gateSettings(options, kernel);
    const gate = kernel.extend.definitionKey('requires_approval');
    if (options.key !== undefined) kernel.maskAlso('approval-gate key', options.key);
    if (options.stateFolder !== undefined) kernel.extend.controlFiles(options.stateFolder, { what: 'used approvals', read: false });
    if (settings.mode === 'strict') kernel.extend.approvalProof('token');
    if (settings.mode === 'elicit' && !settings.takesFlag) kernel.extend.approvalProof('none');
    const isGateable = (tool: Tool): boolean => (gate.of(tool) ?? false) !== false;
    kernel.hooks.beforeExecute.tap({ name: 'approval-gate', stage: last, appliesTo: isGateable }, (draft, context) => {
      if (draft.origin !== 'model' || !isGated(draft, gate.of(draft.tool))) return undefined;
      const isByWord = settings.mode === 'flag' && context.client.approve === undefined;
      return ask(draft, { kind: 'gate', message: isByWord ? `${because}. ${flagAdvice}` : because });
    });
    kernel.hooks.approve.tapPromise('approval-gate', async (request, context) =>
      request.reason.kind === 'gate' ? decide(settings, request, context) : undefined,
    );
    tapActivation(kernel, settings, last);
    if (settings.mode === 'flag') return;
    kernel.hooks.approve.tap({ name: 'undecided', stage: last }, ({ reason, call }, context) => {
      if (reason.kind === 'gate') throw approvalRequired(call, `${because}. ${adviceOf(settings, context)}`, lacksOf(settings, context));
      return undefined;
    });
  },
});

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
    const refused = await tokens.spend(call.approval, subject);
    if (refused === undefined) return { approved: true, by: 'token' };
    const changed = refused === 'foreign' ? tokens.changedFor(call.approval, subject) : [];
    const what =
      changed.length === 0
        ? refusals[refused]
        : `is not for this call: ${changed.join(' and ')} ${changed.length === 1 ? 'is' : 'are'} not what was approved`;
    throw approvalRequired(call, `its approval token ${what}`);
  }
  const { onApproval, takesFlag } = settings;
  const decision = onApproval === undefined ? undefined : await askHost(onApproval, request, context);
  return decision ?? (await askPerson(request, context)) ?? (takesFlag ? flag : undefined);
}

function adviceOf(settings: Exclude<GateSettings, { mode: 'flag' }>, { client }: CallContext): string {
  if (settings.mode === 'strict' && settings.onApproval !== undefined)
    return 'The person responsible has not decided yet. When they give you an approval token, make the same call again with the argument _toolkit_approved: "<token>"';
  if (settings.mode === 'elicit' && settings.takesFlag && client.elicit === undefined) return flagAdvice;
  if (settings.onApproval !== undefined) return 'The person responsible has not decided. Tell the person you work for';
  return cannotAsk;
}

/** What the client would have to be capable of, where it is the only one that could have the call decided. */
function lacksOf(settings: Exclude<GateSettings, { mode: 'flag' }>, { client }: CallContext): ErrorDetails {
  const isLeftToClient = settings.onApproval === undefined && !(settings.mode === 'elicit' && settings.takesFlag);
  return isLeftToClient && client.elicit === undefined ? { clientLacks: ['elicit'] } : {};
}

function approvalRequired({ tool, verdict }: DraftCall, why: string, details: ErrorDetails = {}): ToolkitError {
  return new ToolkitError('APPROVAL_REQUIRED', `"${tool.name}" needs approval and was not run: ${why}.`, {
    tool: tool.name,
    reasons: verdict.reasons,
    ...details,
  });
}

/**
 * `true` always gates; a map gates when any parameter named in it has the value given, or one of the values of a list. A map that cannot be
 * asked, because it or a list in it is empty or it names what is not a parameter of the tool, always gates.
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

/** JSON in which the order of keys does not matter. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, member: unknown) =>
    isPlainObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
