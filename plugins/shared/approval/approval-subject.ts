import { createHash } from 'node:crypto';
import { type ApprovalRequest, changedIn, isPlainObject, messageOf, ToolkitError } from '../../../kernel/index.ts';

export type SubjectRequest = Pick<ApprovalRequest, 'call' | 'bindings' | 'reason' | 'record' | 'isShared'>;

/**
 * Returns the text that an approval is bound to: the tool, what it will run, the parameters, the caller and the reason for asking. The
 * parameters are hashed as canonical JSON (RFC 8785). Where other processes find the record of the call, it is bound to that one question. Throws
 * INVALID_PARAMETERS when the parameters have no canonical form, such as half a surrogate pair.
 */
export async function approvalSubject({ call, bindings, reason, record, isShared }: SubjectRequest): Promise<string> {
  const { tool, parameters, caller } = call;
  const { default: canonicalize } = await import('canonicalize');
  const digestOf = (value: unknown): string =>
    createHash('sha256')
      .update(String(canonicalize(value)))
      .digest('hex');
  try {
    const rule = digestOf([reason.kind, reason.version ?? reason.message]);
    const ofRecord = record === undefined || isShared !== true ? {} : { record };
    const ofCall = { purpose: 'toolkit approval, version 3', tool: tool.name, parameters: digestOf(parameters), caller };
    return String(canonicalize({ ...bindings, ...ofCall, 'the rule that asks': rule, ...ofRecord }));
  } catch (error) {
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `The parameters of "${tool.name}" cannot be approved, they have no canonical form (RFC 8785): ${messageOf(error)}. Correct them.`,
      { tool: tool.name },
      { cause: error },
    );
  }
}

/** Names the differences between two approval subjects, in words for a person. */
export function changedSubject(before: string, now: string): readonly string[] {
  // Own text: made by approvalSubject.
  const [old, next] = [before, now].map((subject): unknown => JSON.parse(subject));
  return isPlainObject(old) && isPlainObject(next) ? changedIn(old as Record<string, string>, next as Record<string, string>) : [];
}
