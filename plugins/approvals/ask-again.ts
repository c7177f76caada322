import { isDeepStrictEqual } from 'node:util';
import { type CallClient, type CallRequest, type Kernel, messageOf, ToolkitError } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import type { StoredApproval } from './records/stored-approval.ts';

/**
 * Makes the call of a record with other parameters, as its caller and without a client, so that it asks and leaves a record of its own. Throws
 * INVALID_PARAMETERS when the tool does not accept them, or nobody has to be asked about them: then only the caller may make that call.
 */
export async function askAgain(
  { kernel, records }: ApprovalParts,
  record: StoredApproval,
  parameters: Readonly<Record<string, unknown>>,
): Promise<StoredApproval> {
  const { tool, caller, tenant, origin, trace } = record;
  if ([record.parameters, record.given].some((known) => isDeepStrictEqual(parameters, known)))
    throw refused(record, 'these are its arguments already');
  const request: CallRequest = { tool, parameters, caller, accountTenant: tenant, origin, trace };
  let isAsked = false;
  const trial = kernel().call({
    ...request,
    isTrial: true,
    client: {
      approve: async () => {
        isAsked = true;
        return true;
      },
    },
    onTap: ({ hook, returned }) => {
      if (hook === 'approve' && returned !== undefined) isAsked = true;
    },
  });
  await trial.catch((error: unknown) => {
    if (!ToolkitError.is(error) || error.code !== 'ABORTED') throw error;
  });
  if (!isAsked) throw refused(record, 'with these arguments it needs no approval, and only its caller may make that call');
  const id = await askedId(kernel(), request);
  const next = typeof id === 'string' ? (await records.read(id))?.record : undefined;
  if (next !== undefined) return next;
  throw refused(record, id instanceof Error || ToolkitError.is(id) ? messageOf(id) : 'it was decided and run at once');
}

/** Makes the call until it has a record, which goes on waiting. Resolves to the id of the record, or the error of a call that got none. */
async function askedId(kernel: Kernel, request: CallRequest): Promise<unknown> {
  const ending = new AbortController();
  let id: string | undefined;
  const client: CallClient = {
    onHeld: (record) => {
      id = record;
      ending.abort(new ToolkitError('ABORTED', 'The question waits for an answer.', { isLost: true }));
    },
  };
  const error: unknown = await kernel.call({ ...request, client, signal: ending.signal }).catch((thrown: unknown) => thrown);
  return id ?? error;
}

function refused({ id, tool }: StoredApproval, why: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `The approval "${id}" of "${tool}" cannot be asked with other arguments: ${why}.`, {
    tool,
  });
}
