import type { ApprovalDetails, ApprovalRecord, ApprovalStatus, Decider, JsonObject, Terminal } from '../../../kernel/index.ts';
import { paint, type Style } from '../../shared/terminal/paint.ts';

const statusStyles: Readonly<Record<ApprovalStatus, Style>> = {
  waiting: 'warning',
  approved: 'good',
  used: 'good',
  refused: 'bad',
  expired: 'bad',
  void: 'bad',
  withdrawn: 'quiet',
};

const [secondMs, minuteMs, hourMs, dayMs] = [1000, 60_000, 3_600_000, 86_400_000] as const;

/** Returns the JSON form of a record: every member is present, times are ISO 8601. */
export function toApprovalJson({ id, status, tool, risk, caller, tenant, ...record }: ApprovalRecord): JsonObject {
  const { createdAt, expiresAt, endedAt, decisions, reasons, shown, replaces, runsAs } = record;
  return {
    id,
    status,
    tool,
    risk,
    caller,
    tenant,
    once: record.once ?? null,
    count: record.count,
    is_kept: record.isKept,
    approvers: record.approvers,
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
    ended_at: isoTime(endedAt),
    digest: record.digest,
    policy: record.policy,
    reasons: reasons as unknown as JsonObject[],
    decisions: decisions.map(({ approve, by, at, reason }) => ({
      approve,
      by: { way: by.way, name: by.name },
      at: isoTime(at),
      reason: reason ?? null,
    })),
    provider: shown.provider ?? null,
    description: shown.description,
    parameters: shown.parameters as JsonObject,
    identity: shown.identity as unknown as JsonObject,
    replaces: replaces === undefined ? null : { id: replaces.id, changed: [...replaces.changed] },
    runs_as: runsAs === undefined ? null : { caller: runsAs.caller, id: runsAs.id },
    ended: record.ended ?? null,
  };
}

/** Returns the JSON form of a record with the things that help to decide. */
export function toDetailsJson(details: ApprovalDetails): JsonObject {
  const { preview, sinceLast, always } = details;
  return {
    ...toApprovalJson(details),
    preview: (preview ?? null) as JsonObject | null,
    since_last:
      sinceLast === undefined
        ? null
        : { id: sinceLast.id, at: isoTime(sinceLast.at), changes: sinceLast.changes as unknown as JsonObject[] },
    always: always ?? null,
  };
}

export function statusText(status: ApprovalStatus, terminal: Pick<Terminal, 'hasColors'>): string {
  return paint(terminal, statusStyles[status], status);
}

/** Formats a time in UTC, as in the log: `2026-01-31 12:00:00 UTC`. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Formats the time since `sinceMs` in its largest unit: `45 s`, `12 min`, `3 h`, `9 d`. */
export function ageText(sinceMs: number, nowMs: number): string {
  const ageMs = Math.max(0, nowMs - sinceMs);
  if (ageMs < minuteMs) return `${Math.floor(ageMs / secondMs)} s`;
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min`;
  return ageMs < 2 * dayMs ? `${Math.floor(ageMs / hourMs)} h` : `${Math.floor(ageMs / dayMs)} d`;
}

/** Formats the caller, and its tenant where that is another name. */
export function callerText({ caller, tenant }: Pick<ApprovalRecord, 'caller' | 'tenant'>): string {
  return tenant === caller ? caller : `${caller} (tenant ${tenant})`;
}

export function deciderText({ name, way }: Decider): string {
  return `${name} (${way})`;
}

/** Counts the different names that have approved. */
export function approvedNames({ decisions }: Pick<ApprovalRecord, 'decisions'>): number {
  return new Set(decisions.flatMap(({ approve, by }) => (approve ? [by.name] : []))).size;
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
