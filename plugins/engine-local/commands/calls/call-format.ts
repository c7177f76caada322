import type { CallStatus, DurableCall, JsonObject, Terminal } from '../../../../kernel/index.ts';
import { paint, type Style } from '../../../shared/terminal/paint.ts';

const statusStyles: Readonly<Record<CallStatus, Style>> = {
  waiting: 'quiet',
  running: 'quiet',
  asked: 'warning',
  completed: 'good',
  failed: 'bad',
  cancelled: 'quiet',
  unknown: 'bad',
};

/** Returns the JSON form of a call: every member is present, times are ISO 8601. */
export function toCallJson({ id, caller, tool, status, attempts, ...call }: DurableCall): JsonObject {
  const { createdAt, startedAt, endedAt, runAt, question, approval, decisions, error } = call;
  return {
    id,
    caller,
    tool,
    status,
    attempts,
    created_at: isoTime(createdAt),
    started_at: isoTime(startedAt),
    ended_at: isoTime(endedAt),
    run_at: isoTime(runAt),
    question: question === undefined ? null : { ...question, request: question.request as JsonObject },
    approval: approval ?? null,
    decisions: decisions.map(({ at, ...decision }) => ({ ...decision, at: isoTime(at) })),
    error: error === undefined ? null : { ...error },
  };
}

export function statusText(status: CallStatus, terminal: Terminal): string {
  return paint(terminal, statusStyles[status], status);
}

/** Formats a time in UTC, as in the log: `2026-01-31 12:00:00`. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
