import {
  type ApprovalDecision,
  type ApprovalRequest,
  ask,
  type CallContext,
  type DraftCall,
  didYouMean,
  type Issue,
  type PluginApi,
  ToolkitError,
  toJsonValue,
} from '../../kernel/index.ts';
import { type Activates, ActivatesSchema } from '../shared/approval/activates.ts';
import { approvalSubject, type SubjectRequest } from '../shared/approval/approval-subject.ts';
import { askPerson } from '../shared/approval/ask-person.ts';
import { type HumanRequest, humanRequest, type PendingChange } from '../shared/approval/human-request.ts';
import { build } from '../shared/project/build.ts';
import { askHost } from './host-approval.ts';
import type { GateSettings } from './options.ts';
import { describeChanges, pendingChangesOf, pendingFiles } from './pending-changes.ts';
import { refusals } from './refusals.ts';

const kind = 'activation';

/** The content of an approval question, and the subject that a token is bound to. */
interface PendingChangeQuestion {
  readonly changes: readonly PendingChange[];
  readonly subject: string;
}

/**
 * Enforces `activates`: a definition that a model reloads or writes becomes callable only after a person has seen the new or changed parts. The
 * caller's own claim that a person agreed never counts here, in any mode. Calls of host code pass.
 */
export function tapPendingChanges({ extend, hooks }: Pick<PluginApi, 'extend' | 'hooks'>, settings: GateSettings, stage: number): void {
  const activates = extend.definitionKey('activates', ActivatesSchema, { check: unknownParameters, fingerprint: build });
  const appliesTo = (tool: DraftCall['tool']): boolean => activates.of(tool) !== undefined;
  const questionFor = async (call: DraftCall, context: CallContext): Promise<PendingChangeQuestion> => {
    const definitionKey = activates.of(call.tool);
    if (typeof definitionKey === 'object') return { changes: pendingFiles(call, definitionKey, context), subject: kind };
    const preview = await context.previewReload();
    return { changes: pendingChangesOf(preview), subject: `${kind} ${preview.digest}` };
  };
  hooks.beforeExecute.tapPromise({ name: kind, stage, appliesTo }, async (draft, context) => {
    if (draft.origin !== 'model' || draft.verdict.effect === 'deny') return undefined;
    const { changes, subject } = await questionFor(draft, context);
    if (changes.length === 0) return undefined;
    const message = `it makes callable: ${describeChanges(changes)}`;
    return ask(draft, { kind, message, version: subject, isLocal: true, shown: { makesCallable: toJsonValue(changes) } });
  });
  hooks.approve.tapPromise({ name: kind, appliesTo }, async (request, context) => {
    if (request.reason.kind !== kind) return undefined;
    const question = await questionFor(request.call, context);
    return decide(
      settings,
      request,
      context,
      question,
      toHumanRequest(request, context.mask(question.changes), activates.of(request.call.tool)),
    );
  });
  hooks.approve.tap({ name: `${kind}-undecided`, stage, appliesTo }, ({ reason, call }) => {
    if (reason.kind === kind) throw unansweredError(call, reason.message, settings, activates.of(call.tool));
    return undefined;
  });
}

async function decide(
  settings: GateSettings,
  request: ApprovalRequest,
  context: CallContext,
  { subject }: PendingChangeQuestion,
  shown: HumanRequest,
): Promise<ApprovalDecision | undefined> {
  if (settings.mode === 'flag') return askPerson(request, context, shown);
  const { call } = request;
  const tokens = settings.mode === 'strict' ? settings.tokens : undefined;
  const subjectOf = async (bound: SubjectRequest): Promise<string> =>
    // Own text: made by approvalSubject.
    JSON.stringify({ ...JSON.parse(await approvalSubject(bound)), activates: subject });
  if (tokens !== undefined && call.approval !== undefined) {
    const refused = await tokens.consume(call.approval, await subjectOf(request));
    if (refused === undefined) return { approved: true, by: 'token', decider: { way: 'token', name: 'token' } };
    const reason = refused === 'foreign' ? `${refusals.foreign}, and what it makes callable as well` : refusals[refused];
    throw new ToolkitError('APPROVAL_REQUIRED', `"${call.tool.name}" needs approval and was not run: its approval token ${reason}.`, {
      tool: call.tool.name,
      reasons: call.verdict.reasons,
    });
  }
  const { onApproval } = settings;
  const decision = onApproval === undefined ? undefined : await askHost(onApproval, request, context, tokens, shown, subjectOf);
  return decision ?? askPerson(request, context, shown);
}

/** Shows the pending changes in place of the parameters that contain them. */
function toHumanRequest(request: ApprovalRequest, activates: readonly PendingChange[], definitionKey: Activates | undefined): HumanRequest {
  const shown = humanRequest(request);
  const hiddenParameters = typeof definitionKey === 'object' ? [definitionKey.definition, definitionKey.files] : [];
  return {
    ...shown,
    parameters: Object.fromEntries(Object.entries(shown.parameters).filter(([name]) => !hiddenParameters.includes(name))),
    activates,
  };
}

function unansweredError(
  { tool, verdict }: DraftCall,
  reason: string,
  settings: GateSettings,
  definitionKey: Activates | undefined,
): ToolkitError {
  const isLater = settings.mode === 'strict' && settings.onApproval !== undefined;
  const first = isLater
    ? 'The person responsible has not decided yet: when they give you an approval token, make the same call again with the argument _toolkit_approved: "<token>"'
    : 'A person must see it first, and nobody could be asked; _toolkit_approved: true does not count here';
  const by =
    typeof definitionKey === 'object'
      ? 'write the files, then restart the server, or use "toolkit dev"'
      : 'restart the server, or use "toolkit dev"';
  return new ToolkitError(
    'APPROVAL_REQUIRED',
    `"${tool.name}" needs approval and was not run: ${reason}. ${first}. Tell the person you work for: the operator of this server, and nobody else, may ${by}; "toolkit tools pending" shows them what is new.`,
    { tool: tool.name, reasons: verdict.reasons },
  );
}

function unknownParameters(definitionKey: Activates, { parameters }: { readonly parameters: object }): readonly Issue[] {
  const named = typeof definitionKey === 'object' ? Object.entries(definitionKey) : [];
  return named
    .filter(([, name]) => !Object.hasOwn(parameters, name))
    .map(([key, name]) => ({
      path: `activates.${key}`,
      pointer: `/activates/${key}`,
      message: `names "${name}", which is no parameter.${didYouMean(name, Object.keys(parameters))}`,
    }));
}
