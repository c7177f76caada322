import { type DurableRequest, ToolkitError } from '../../../kernel/index.ts';
import { newCallKey } from './call-keys.ts';
import { type CallRecord, recordVersion } from './call-record.ts';
import type { CallRecords, ReadRecord } from './call-records.ts';
import type { OpenCalls } from './open-calls.ts';

interface Parts {
  readonly records: CallRecords;
  readonly open: OpenCalls;
  readonly maxBytes: number;
}

/**
 * Adds the call, or returns the existing one of the same name. Throws INVALID_PARAMETERS when that one has another tool, other parameters or the
 * accounts of another tenant.
 */
export async function submitCall(request: DurableRequest, { records, open, maxBytes }: Parts): Promise<ReadRecord> {
  const createdAt = Date.now();
  const record: CallRecord = {
    ...request,
    version: recordVersion,
    status: 'waiting',
    createdAt,
    runAt: createdAt,
    attempts: 0,
    decisions: [],
    failures: 0,
    effect: 1,
    once: request.id,
  };
  refuseLarge(record, maxBytes);
  const callKey = newCallKey(request, createdAt);
  for (;;) {
    const { place: insteadOf, read } = await records.find(request);
    if (read !== undefined) return sameCall(request, read);
    const openCalls = await open.admit(request.caller);
    const added = await records.add(callKey, record, { openCalls, replacedKey: insteadOf });
    if (added !== undefined) return added;
  }
}

async function sameCall(request: DurableRequest, found: ReadRecord): Promise<ReadRecord> {
  const { default: canonicalize } = await import('canonicalize');
  const { record } = found;
  const { id, tool, parameters } = request;
  const isOfTenant = accountTenantOf(record) === accountTenantOf(request);
  if (isOfTenant && record.tool === tool && canonicalize(record.parameters) === canonicalize(parameters)) return found;
  const other = !isOfTenant ? 'of another tenant' : record.tool === tool ? 'with other parameters' : `of "${record.tool}"`;
  throw new ToolkitError('INVALID_PARAMETERS', `The id "${id}" names a durable call ${other}. Give each call an id of its own.`, { tool });
}

function accountTenantOf({ caller, tenant = caller, accountTenant = tenant }: DurableRequest): string {
  return accountTenant;
}

function refuseLarge(record: CallRecord, maxBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(record));
  if (bytes <= maxBytes) return;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `The durable call of "${record.tool}" cannot be stored: with its parameters it has ${bytes} bytes, and at most ${maxBytes} are allowed (maxBytes of the engine). Pass large values as a file or a URL.`,
    { tool: record.tool },
  );
}
