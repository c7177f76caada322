import type { ApprovalDetails, ApprovalRecord, ManyDecided } from '../../../kernel/index.ts';
import { type Approver, type Attempt, inOrder } from '../approvals/approvers.ts';
import type { ConsoleSession } from './console-session.ts';

/** A record as a person has seen it. */
interface Shown {
  readonly id: string;
  readonly digest: string;
}

/** A session that opens each record, and decides one after the other. */
export function consoleDecisions(session: ConsoleSession): Approver {
  return consoleApprover(session, (shown, approve) => inOrder(shown, (record) => decideOne(session, record, approve)));
}

/** A session that opens each record, and decides all with one request, as a selection of the inbox does. */
export function consoleSelection(session: ConsoleSession): Approver {
  return consoleApprover(session, (shown, approve) => decideAll(session, shown, approve));
}

function consoleApprover(
  session: ConsoleSession,
  decide: (shown: readonly Shown[], approve: boolean) => Promise<readonly Attempt[]>,
): Approver {
  return {
    way: 'console',
    prepare: async (records, approve) => {
      const shown = await inOrder(records, (record) => open(session, record));
      return () => decide(shown, approve);
    },
  };
}

async function open(session: ConsoleSession, { id }: ApprovalRecord): Promise<Shown> {
  const { status, body } = await session.get(`approvals/${id}`);
  if (status !== 200) throw new Error(`the console answered ${status} for ${id}: ${body}`);
  // No number: only the digest is used.
  const { digest } = JSON.parse(body) as ApprovalDetails;
  return { id, digest };
}

async function decideOne(session: ConsoleSession, { id, digest }: Shown, approve: boolean): Promise<Attempt> {
  const { status, body } = await session.post(`approvals/${id}/decide`, { approve, digest });
  // Own text: an answer of the console.
  const { error, ...record } = JSON.parse(body) as ApprovalRecord & {
    readonly error?: { readonly code: string; readonly message: string };
  };
  if (status === 200) return attemptOf(session, id, approve, { replied: record.decisions });
  if (error?.code !== 'INVALID_PARAMETERS') throw new Error(`the console answered ${status} to a decision about ${id}: ${body}`);
  return attemptOf(session, id, approve, { lost: error.message });
}

async function decideAll(session: ConsoleSession, records: readonly Shown[], approve: boolean): Promise<readonly Attempt[]> {
  const { status, body } = await session.post('approvals/decide', { approve, records });
  if (status !== 200) throw new Error(`the console answered ${status} to a decision about ${records.length}: ${body}`);
  // Own text: an answer of the console.
  const decided = JSON.parse(body) as readonly ManyDecided[];
  return decided.map(({ id, approval, failure }) =>
    attemptOf(session, id, approve, {
      ...(failure === undefined ? {} : { lost: failure }),
      ...(approval === undefined ? {} : { replied: approval.decisions }),
    }),
  );
}

function attemptOf({ name }: ConsoleSession, id: string, approve: boolean, end: Pick<Attempt, 'lost' | 'replied'>): Attempt {
  return { ...{ id, way: 'console', name, approve }, ...end };
}
