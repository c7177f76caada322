import {
  type ApprovalAnswer,
  type ApprovalDetails,
  type ApprovalFilter,
  type ApprovalInbox,
  type ApprovalPage,
  type ApprovalRecord,
  apiVersion,
  type Decider,
  definePlugin,
  type ManyDecided,
  type Plugin,
  ToolkitError,
} from '../../../../kernel/index.ts';

/** A decision that the inbox was asked for. */
export interface Asked {
  readonly id: string;
  readonly answer: ApprovalAnswer;
}

/** Records in memory, for tests of the commands. */
export class MemoryInbox implements ApprovalInbox {
  readonly records = new Map<string, ApprovalDetails>();
  readonly decided: Asked[] = [];
  readonly filters: unknown[] = [];
  readonly erased: unknown[] = [];
  unreadable = 0;
  /** Runs directly before a decision, as another person who is faster. */
  beforeDecision: (id: string) => void = () => {};

  constructor(...records: readonly ApprovalDetails[]) {
    for (const record of records) this.records.set(record.id, record);
  }

  get plugin(): Plugin {
    return definePlugin({ name: 'memory-inbox', apiVersion, apply: ({ extend }) => extend.approvalInbox(() => this) })();
  }

  hold(): Promise<never> {
    return Promise.reject(new Error('no call was expected'));
  }

  async list({ status, tool, caller, tenant, limit = 100, after }: ApprovalFilter): Promise<ApprovalPage> {
    const found = [...this.records.values()].filter(
      (one) =>
        (status === undefined || one.status === status) &&
        (tool === undefined || one.tool === tool) &&
        (caller === undefined || one.caller === caller) &&
        (tenant === undefined || one.tenant === tenant),
    );
    const start = after === undefined ? 0 : found.findIndex(({ id }) => id === after) + 1;
    const approvals = found.slice(start, start + limit);
    const last = approvals.at(-1)?.id;
    const unreadable = this.unreadable === 0 ? {} : { unreadable: this.unreadable };
    return { approvals, ...unreadable, ...(start + limit < found.length && last !== undefined ? { next: last } : {}) };
  }

  async get(id: string): Promise<ApprovalDetails> {
    const found = this.records.get(id);
    if (found === undefined) throw new ToolkitError('NOT_FOUND', `There is no approval "${id}".`);
    return found;
  }

  async decide(id: string, answer: ApprovalAnswer): Promise<ApprovalRecord> {
    this.beforeDecision(id);
    const record = await this.get(id);
    if (record.status !== 'waiting')
      throw new ToolkitError('INVALID_PARAMETERS', `The approval "${id}" is decided: bob (webhook) refused it.`);
    if (answer.digest !== undefined && answer.digest !== record.digest)
      throw new ToolkitError('INVALID_PARAMETERS', `The approval "${id}" has another digest.`);
    this.decided.push({ id, answer });
    const { approve, by, reason } = answer;
    const decisions = [...record.decisions, { approve, by, at: Date.UTC(2026, 0, 31, 13), ...(reason === undefined ? {} : { reason }) }];
    const isMissing = approve && decisions.length < record.approvers;
    const next: ApprovalDetails = { ...record, decisions, status: isMissing ? 'waiting' : approve ? 'approved' : 'refused' };
    this.records.set(id, next);
    return next;
  }

  async decideMany(
    filter: Omit<ApprovalFilter, 'status' | 'after'>,
    answer: Omit<ApprovalAnswer, 'digest'>,
  ): Promise<readonly ManyDecided[]> {
    this.filters.push(filter);
    const { approvals } = await this.list({ ...filter, status: 'waiting' });
    return Promise.all(
      approvals.map(async ({ id }) => {
        try {
          return { id, approval: await this.decide(id, answer) };
        } catch (error) {
          return { id, failure: (error as Error).message };
        }
      }),
    );
  }

  async change(id: string, parameters: Readonly<Record<string, unknown>>, by: Decider): Promise<ApprovalRecord> {
    const old = await this.get(id);
    await this.decide(id, { approve: false, by });
    const next = { ...old, id: `${id}-next`, digest: 'e'.repeat(64), shown: { ...old.shown, parameters } };
    this.records.set(next.id, next);
    return next;
  }

  async erase(owner: { readonly caller: string; readonly tenant?: string }, by: Decider): Promise<number> {
    this.erased.push({ owner, by });
    const { approvals } = await this.list(owner);
    for (const { id } of approvals) this.records.delete(id);
    return approvals.length;
  }
}

/** Makes a record that waits. */
export function record(id: string, more: Partial<ApprovalDetails> = {}): ApprovalDetails {
  return {
    id,
    status: 'waiting',
    tool: 'shop_order',
    risk: 'high',
    caller: 'ada',
    tenant: 'ada',
    createdAt: Date.UTC(2026, 0, 31, 12),
    expiresAt: Date.UTC(2026, 1, 1, 12),
    count: 1,
    isKept: true,
    approvers: 1,
    decisions: [],
    digest: 'd'.repeat(64),
    policy: 'a'.repeat(64),
    reasons: [{ kind: 'gate', message: 'it needs approval' }],
    shown: { description: 'Orders an item.', parameters: { item: 'anvil' }, identity: {} },
    ...more,
  };
}
