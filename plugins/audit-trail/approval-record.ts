import type { ApprovalEvent } from '../../kernel/index.ts';
import { RepeatedReports } from '../shared/reports/repeated-reports.ts';
import { type CallRecord, maxNameBytes } from './call-record.ts';
import { recordText } from './chain.ts';
import { Cuts, Shortener } from './shortener.ts';

/** Shares of a record's line, in bytes. Each of the at most eight names has `maxNameBytes`. */
const shares = { reason: 2500, cuts: 1200 };

/** Maximum number of rejected answers, by id and reason, that have a count of their own. */
const maxCounts = 100;

/** Id in the shared count of rejected answers. */
const otherIds = 'others';

/**
 * Returns the record of an event in the life of an approval. Its secrets are masked. `count`: the number of rejected answers for which the
 * record stands.
 */
export function approvalRecord(event: ApprovalEvent, time: string, count?: number): CallRecord {
  const cuts = new Cuts(shares.cuts);
  const short = (text: string | undefined, pointer: string): string | undefined =>
    text === undefined ? undefined : new Shortener(maxNameBytes, cuts).text(text, pointer);
  const { by, reason } = event;
  const id = short(event.id, '/id');
  const tool = short(event.tool, '/tool');
  const caller = short(event.caller, '/caller');
  const members = {
    event: 'approval',
    what: event.event,
    time,
    id,
    tool,
    caller,
    tenant: short(event.tenant, '/tenant'),
    digest: short(event.digest, '/digest'),
    by: by === undefined ? undefined : { way: short(by.way, '/by/way') ?? null, name: short(by.name, '/by/name') ?? null },
    reason: reason === undefined ? undefined : new Shortener(shares.reason, cuts).text(reason, '/reason'),
    count,
  };
  const cut = cuts.entries.length === 0 ? {} : { cut: cuts.entries };
  return { ...recordText({ ...members, ...cut }), callId: id ?? '', tool: tool ?? '', caller: caller ?? '', outcome: event.event, time };
}

/**
 * Returns a listener that records each event. Anybody who reaches a way of answering can send wrong answers (`rejected`): the first of an id
 * and reason is recorded at once, then their number once a minute. Ids beyond a hundred share one count.
 */
export function approvalListener(record: (event: ApprovalEvent, count?: number) => void): {
  readonly listen: (event: ApprovalEvent) => void;
  /** Records the remaining counts. */
  close(): void;
} {
  const rejected = new RepeatedReports<ApprovalEvent>({
    keyOf: ({ id, reason }) => (id === otherIds ? otherIds : JSON.stringify([id, reason])),
    maxKeys: maxCounts,
    // The other members belong to one record.
    toOther: ({ event, by, reason }) => ({
      event,
      id: otherIds,
      ...(by === undefined ? {} : { by }),
      ...(reason === undefined ? {} : { reason }),
    }),
    report: record,
  });
  return {
    listen: (event) => (event.event === 'rejected' ? rejected.note(event) : record(event)),
    close: () => rejected.close(),
  };
}
