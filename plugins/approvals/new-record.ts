import { isDeepStrictEqual } from 'node:util';
import { type CallToHold, type JsonObject, ToolkitError, type TraceContext, toJsonValue } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import type { CallDigests } from './digests.ts';
import { newRecordId, type Owner } from './records/record-keys.ts';
import type { StoredApproval } from './records/stored-approval.ts';

/** Maximum bytes of JSON of the parameters of a record. */
const maxParameterBytes = 1024 * 1024;

/** A call that opens a record. */
export interface Opening {
  readonly held: CallToHold;
  readonly owner: Owner;
  readonly digests: CallDigests;
  readonly trace: TraceContext | undefined;
}

/** Returns the record of a new question. Throws INVALID_PARAMETERS for parameters that are too large to be put to a person. */
export function newRecord(
  { now, settings, process }: ApprovalParts,
  { held, owner, digests, trace }: Opening,
  replaces: StoredApproval['replaces'],
): StoredApproval {
  const { call, reasons, shownParameters, shownIdentity } = held;
  const { tool, once, origin, ownCredentials } = call;
  const isKept = ownCredentials.size === 0;
  const parameters = toJsonValue(call.parameters) as JsonObject;
  refuseLarge(tool.name, parameters);
  const createdAt = now();
  return {
    version: 1,
    id: newRecordId(createdAt),
    status: 'waiting',
    tool: tool.name,
    risk: tool.risk,
    ...owner,
    ...(once === undefined ? {} : { once }),
    createdAt,
    expiresAt: createdAt + settings.ttlMs,
    count: 1,
    isKept,
    approvers: Math.max(settings.approvers, ...reasons.map(({ approvers = 1 }) => approvers)),
    decisions: [],
    digest: digests.digest,
    policy: digests.policy,
    parts: digests.parts,
    reasons: reasons.map(({ kind, message, version, shown }) => ({
      kind,
      message,
      ...(version === undefined ? {} : { version }),
      ...(shown === undefined ? {} : { shown }),
    })),
    shown: {
      description: tool.description,
      ...(tool.provider === undefined ? {} : { provider: tool.provider.name }),
      parameters: shownParameters,
      identity: shownIdentity,
    },
    ...(replaces === undefined ? {} : { replaces }),
    callHash: digests.callHash,
    ...(isKept ? { parameters, ...givenOf(held, parameters) } : {}),
    origin,
    ...(trace === undefined ? {} : { trace }),
    // The run of a tool that only reads is not remembered, so that a second one could not be told from the first.
    isRunAnywhere: tool.annotations.readOnlyHint !== true && reasons.every(({ isLocal }) => isLocal !== true),
    waiting: [process.id],
  };
}

function givenOf({ given }: CallToHold, parameters: JsonObject): { readonly given?: JsonObject } {
  const json = toJsonValue(given) as JsonObject;
  return isDeepStrictEqual(json, parameters) ? {} : { given: json };
}

function refuseLarge(tool: string, parameters: JsonObject): void {
  const bytes = Buffer.byteLength(JSON.stringify(parameters));
  if (bytes <= maxParameterBytes) return;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `"${tool}" needs approval, and its parameters are too large to be put to a person: expected at most ${maxParameterBytes} bytes of JSON, received ${bytes}. Pass large values as a file or a URL.`,
    { tool },
  );
}
