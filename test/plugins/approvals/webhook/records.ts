import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { type ApprovalAnswer, type ApprovalEvent, type ApprovalRecord, type StateStore, ToolkitError } from '../../../../kernel/index.ts';
import { outboxEntries } from '../../../../plugins/approvals/webhook/index.ts';

export const secret = 'a secret of the chat in the tests';

/** A record that waits. */
export function waitingRecord(more: Partial<ApprovalRecord> = {}): ApprovalRecord {
  const createdAt = Date.now();
  return {
    id: `${createdAt.toString(36)}-${randomBytes(8).toString('hex')}`,
    status: 'waiting',
    tool: 'pay_invoice',
    risk: 'high',
    caller: 'ada',
    tenant: 'shop',
    createdAt,
    expiresAt: createdAt + 3_600_000,
    count: 1,
    isKept: true,
    approvers: 1,
    decisions: [],
    digest: randomBytes(32).toString('hex'),
    policy: 'b'.repeat(64),
    reasons: [{ kind: 'rule', message: 'it is a large sum', version: '7' }],
    shown: { description: 'Pays an invoice.', parameters: { sum: '1000 €' }, identity: {} },
    ...more,
  };
}

/** Records in memory: the part of an inbox that webhooks need. */
export class FakeInbox {
  readonly records = new Map<string, ApprovalRecord>();
  readonly answers: (readonly [id: string, answer: ApprovalAnswer])[] = [];
  readonly rejected: ApprovalEvent[] = [];
  /** Thrown by the next decision. */
  failure: Error | undefined;

  readonly read = async (id: string): Promise<ApprovalRecord | undefined> => this.records.get(id);

  readonly reject = (event: ApprovalEvent): void => void this.rejected.push(event);

  readonly decide = async (id: string, answer: ApprovalAnswer): Promise<ApprovalRecord> => {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    const record = this.records.get(id);
    if (record === undefined) throw new ToolkitError('NOT_FOUND', `There is no approval "${id}".`);
    const refuse = (why: string): never => {
      const { status, decisions } = record;
      throw new ToolkitError('INVALID_PARAMETERS', `The approval "${id}" ${why}.`, { decided: { status, decisions } });
    };
    if (record.status !== 'waiting') refuse(`is decided: ${record.decisions[0]?.by.name} was first`);
    if (answer.digest !== record.digest) refuse('has another digest');
    this.answers.push([id, answer]);
    const decision = { approve: answer.approve, by: answer.by, at: Date.now() };
    const decided: ApprovalRecord = { ...record, status: answer.approve ? 'approved' : 'refused', decisions: [decision] };
    this.records.set(id, decided);
    return decided;
  };

  /** Adds a record, and its messages in the same step. */
  async add(
    state: StateStore,
    webhooks: readonly { readonly name: string }[],
    more: Partial<ApprovalRecord> = {},
  ): Promise<ApprovalRecord> {
    const record = waitingRecord(more);
    this.records.set(record.id, record);
    await state.compareAndSet(`record/${record.id}`, undefined, record.id, { also: outboxEntries(record, webhooks) });
    return record;
  }
}

export interface Signing {
  /** @default `secret` */
  readonly key?: string | Buffer;
  /** @default a random one */
  readonly id?: string;
  /** Epoch seconds. @default now */
  readonly timestamp?: number | string;
}

/** Signs as Standard Webhooks says, independently of the code that is tested. */
export function signed(body: string, { key = secret, id = randomUUID(), timestamp = Math.floor(Date.now() / 1000) }: Signing = {}) {
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}
