import { type CallResult, ToolkitError } from '../../../kernel/index.ts';
import type { CallRecord } from './call-record.ts';
import type { CallRecords } from './call-records.ts';
import { toStoredError } from './stored-error.ts';

/** Returns the record members for a result, after storing it. A result above `maxBytes` becomes an OUTPUT_TOO_LARGE error. */
export async function storeResult(
  records: CallRecords,
  maxBytes: number,
  { callKey, attempt, tool }: { readonly callKey: string; readonly attempt: number; readonly tool: string },
  { output, content }: CallResult,
): Promise<Partial<CallRecord>> {
  const result = { output, ...(content === undefined ? {} : { content }) };
  const text = JSON.stringify(result);
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return records.storeResult(callKey, attempt, result, text);
  const message = `"${tool}" has run, but its result of ${bytes} bytes could not be stored: at most ${maxBytes} bytes are (maxBytes of the engine).`;
  return { error: toStoredError(new ToolkitError('OUTPUT_TOO_LARGE', message)) };
}
