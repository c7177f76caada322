import { isPlainObject, type JsonObject, type JsonValue } from '../../../kernel/index.ts';
import type { EndedCall } from '../wire/calls.ts';
import type { KeptParameters } from './ended-calls.ts';

/** Returns the call of a record of the trail. What a record does not have stays empty: another version may have written it. */
export function callOfRecord(record: JsonObject): EndedCall {
  const durationMs = typeof record['duration_ms'] === 'number' ? record['duration_ms'] : 0;
  const risk = textOf(record['risk']);
  const traceId = textOf(record['trace_id']);
  const { executed, verdict } = record;
  return {
    callId: textOf(record['call_id']) ?? '',
    tool: textOf(record['tool']) ?? '',
    caller: textOf(record['caller']) ?? '',
    origin: record['origin'] === 'model' ? 'model' : 'host',
    ...(risk === undefined ? {} : { risk }),
    startedAt: Math.floor((Date.parse(textOf(record['time']) ?? '') || 0) - durationMs),
    ...(traceId === undefined ? {} : { traceId }),
    durationMs,
    outcome: textOf(record['outcome']) ?? '',
    ...(typeof executed === 'boolean' ? { executed } : {}),
    reasons: listOf(isPlainObject(verdict) ? (verdict as JsonObject)['reasons'] : undefined).flatMap(
      ({ message }) => textOf(message) ?? [],
    ),
    approvals: listOf(record['approvals']).map(({ kind, approved, by, record: id }) => ({
      kind: textOf(kind) ?? '',
      approved: approved === true,
      by: textOf(by) ?? '',
      ...(typeof id === 'string' ? { record: id } : {}),
    })),
  };
}

/** Returns the parameters of a record: as the trail's option `parameters` has them. */
export function parametersOfRecord({ parameters, cut }: JsonObject): KeptParameters {
  if (parameters === undefined) return { parameters, note: 'The audit trail has no parameters: its option "parameters" is none.' };
  if (Array.isArray(parameters)) return { parameters, note: 'The audit trail has the names of the parameters only.' };
  const isCut = Array.isArray(cut) && cut.some((entry) => typeof entry === 'string' && /^(\/parameters|and )/.test(entry));
  return isCut ? { parameters, note: 'The audit trail has the parameters in a shortened form.' } : { parameters };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item): item is JsonObject => isPlainObject(item)) : [];
}
