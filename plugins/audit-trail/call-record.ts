import type { CallEnd } from '../../kernel/index.ts';
import type { RecordBody } from './chain.ts';
import { Cuts, Shortener } from './shortener.ts';

export interface CallRecordOptions {
  /** What is said of the parameters: their values (secrets masked), their names, or nothing. */
  readonly parameters: 'masked' | 'names' | 'none';
  /** False when the call ended before anything executed it. */
  readonly executed: boolean;
  /** sha256 of the definition, hex; absent without a tool. */
  readonly definitionHash?: string;
  readonly time: Date;
  /** Masks every secret that is known. Of a call's end only the parameters are masked already. */
  readonly mask: <T>(value: T) => T;
}

/** A line is never longer, in bytes. */
export const maxRecordBytes = 16 * 1024;

/** Shares of `maxRecordBytes`, in bytes; what is left is for hashes, times and the names of the members. */
const shares = { name: 400, verdict: 2500, approvals: 2500, parameters: 7000, cuts: 1200 };

/** The record of one call. Whatever the caller wrote, it is bounded and can be written. */
export function callRecord(end: CallEnd, options: CallRecordOptions): RecordBody {
  const cuts = new Cuts(shares.cuts);
  const shorten = (maxBytes: number, value: unknown, pointer: string) => new Shortener(maxBytes, cuts).value(value, pointer) ?? null;
  const name = (text: string, pointer: string): string => new Shortener(shares.name, cuts).text(text, pointer);
  const { tool } = end;
  const { toolName, caller, verdict, approvals } = options.mask({
    toolName: end.toolName,
    caller: end.caller,
    verdict: { effect: end.verdict.effect, reasons: end.verdict.reasons.map(({ kind, message }) => ({ kind, message })) },
    approvals: end.approvals.map(({ kind, approved, by, reason }) => ({ kind, approved, by, reason })),
  });
  const status = statusOf(end);
  const body = {
    time: options.time.toISOString(),
    call_id: end.id,
    tool: name(toolName, '/tool'),
    caller: name(caller, '/caller'),
    origin: end.origin,
    verdict: shorten(shares.verdict, verdict, '/verdict'),
    approvals: shorten(shares.approvals, approvals, '/approvals'),
    duration_ms: Math.round(end.durationMs * 1000) / 1000,
    executed: options.executed,
    outcome: end.outcome.type === 'completed' ? 'completed' : end.outcome.error.code,
    ...(tool === undefined ? {} : { risk: tool.risk }),
    ...(tool?.provider === undefined ? {} : { provider: name(tool.provider.name, '/provider') }),
    ...(options.definitionHash === undefined ? {} : { definition_hash: options.definitionHash }),
    ...(status === undefined ? {} : { status }),
    ...(options.parameters === 'masked' ? { parameters: shorten(shares.parameters, end.parameters, '/parameters') } : {}),
    ...(options.parameters === 'names' ? { parameters: shorten(shares.parameters, Object.keys(end.parameters), '/parameters') } : {}),
  };
  return cuts.entries.length === 0 ? body : { ...body, cut: cuts.entries };
}

/** The HTTP status, when the call got one. */
function statusOf({ outcome }: CallEnd): number | undefined {
  const status = outcome.type === 'completed' ? outcome.result.meta['status'] : outcome.error.details.status;
  return typeof status === 'number' && Number.isInteger(status) ? status : undefined;
}
