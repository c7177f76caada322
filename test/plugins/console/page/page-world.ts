import { createHash } from 'node:crypto';
import type { ApprovalDetails, ApprovalRecord, ManyDecided } from '../../../../kernel/index.ts';
import type { Overview } from '../../../../plugins/console/wire/state.ts';

export interface WorldAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Answers for other paths, by path. */
export type MoreAnswers = Readonly<Record<string, unknown>>;

/** Made-up records that can be decided, as the console's API shows them. */
export class PageWorld {
  readonly records = new Map<string, ApprovalDetails>();
  /** The bodies of all POST requests. */
  readonly posted: { readonly path: string; readonly body: unknown }[] = [];
  keepsApprovals = true;
  unaskedTools: number | undefined;
  readonly #more: MoreAnswers;

  constructor(records: readonly ApprovalDetails[], more: MoreAnswers = {}) {
    for (const record of records) this.records.set(record.id, record);
    this.#more = more;
  }

  overview(): Overview {
    const waiting = [...this.records.values()].filter(({ status }) => status === 'waiting').length;
    return {
      name: 'operator',
      csrf: 'token',
      expiresAt: Date.now() + 3_600_000,
      version: '0.1.0',
      waiting,
      keepsApprovals: this.keepsApprovals,
      ...(this.unaskedTools === undefined ? {} : { unaskedTools: this.unaskedTools }),
    };
  }

  answer(method: string, path: string, query: URLSearchParams, body: unknown): WorldAnswer {
    if (method === 'POST') this.posted.push({ path, body });
    const [, id = '', action] = path.split('/');
    if (path === 'overview') return ok(this.overview());
    if (path === 'logout') return ok({});
    if (path === 'approvals') return ok(this.#page(query));
    if (path === 'approvals/decide') return ok(this.#many(body as ManyBody));
    if (path.startsWith('approvals/') && action === 'decide') return this.#decide(id, body as DecideBody);
    if (path.startsWith('approvals/') && action === undefined) return this.#found(id);
    return path in this.#more ? ok(this.#more[path]) : failed(404, 'NOT_FOUND', `There is no ${path}.`);
  }

  #page(query: URLSearchParams): unknown {
    const status = query.get('status');
    const all = [...this.records.values()].filter((record) => status === null || record.status === status);
    all.sort((a, b) => b.createdAt - a.createdAt);
    const limit = Number(query.get('limit') ?? 100);
    const after = query.get('after');
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const approvals = all.slice(start, start + limit);
    return { approvals, ...(start + limit < all.length ? { next: approvals.at(-1)?.id } : {}) };
  }

  #many({ approve, reason, records }: ManyBody): readonly ManyDecided[] {
    return records.map(({ id, digest }) => {
      const { status, body } = this.#decide(id, { approve, digest, ...(reason === undefined ? {} : { reason }) });
      if (status === 200) return { id, approval: body as ApprovalRecord };
      return { id, failure: (body as { error: { message: string } }).error.message };
    });
  }

  #decide(id: string, { approve, digest, reason }: DecideBody): WorldAnswer {
    const record = this.records.get(id);
    if (record === undefined) return this.#found(id);
    if (record.status !== 'waiting')
      return failed(409, 'APPROVAL_DECIDED', `The approval ${id} was decided by ${record.decisions[0]?.by.name}.`);
    if (record.digest !== digest)
      return failed(409, 'APPROVAL_CHANGED', `The approval ${id} has changed since it was shown. Read it again.`);
    const decision = { approve, by: { way: 'console', name: 'operator' }, at: Date.now(), ...(reason === undefined ? {} : { reason }) };
    const decided: ApprovalDetails = { ...record, status: approve ? 'approved' : 'refused', endedAt: Date.now(), decisions: [decision] };
    this.records.set(id, decided);
    return ok(decided);
  }

  #found(id: string): WorldAnswer {
    const record = this.records.get(id);
    return record === undefined ? failed(404, 'NOT_FOUND', `There is no approval ${id}.`) : ok(record);
  }
}

interface DecideBody {
  readonly approve: boolean;
  readonly digest: string;
  readonly reason?: string;
}

interface ManyBody {
  readonly approve: boolean;
  readonly reason?: string;
  readonly records: readonly { readonly id: string; readonly digest: string }[];
}

function ok(body: unknown): WorldAnswer {
  return { status: 200, body };
}

function failed(status: number, code: string, message: string): WorldAnswer {
  return { status, body: { error: { code, message } } };
}

/** Makes a waiting record. */
export function madeRecord(index: number, parts: Partial<ApprovalDetails> = {}): ApprovalDetails {
  const now = Date.now();
  return {
    id: `ap-${String(index).padStart(4, '0')}`,
    status: 'waiting',
    tool: 'notes_append',
    risk: 'medium',
    caller: 'assistant',
    tenant: 'default',
    createdAt: now - index * 61_000,
    expiresAt: now + 540_000 - index * 1000,
    count: 1,
    isKept: true,
    approvers: 1,
    decisions: [],
    digest: createHash('sha256').update(`digest ${index}`).digest('hex'),
    policy: createHash('sha256').update('policy').digest('hex'),
    reasons: [{ kind: 'gate', message: 'the definition of the tool requires approval' }],
    shown: { description: 'Appends a line to a note.', parameters: { note: 'shopping', line: `item ${index}` }, identity: {} },
    ...parts,
  };
}
