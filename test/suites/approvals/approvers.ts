import { createHmac, randomUUID } from 'node:crypto';
import os from 'node:os';
import type { ApprovalRecord } from '../../../kernel/index.ts';
import { send } from '../../plugins/mcp/support/wire.ts';
import { webhook } from './config.ts';
import type { Server } from './server.ts';
import type { Site } from './site.ts';

/** One try to decide a record. */
export interface Attempt {
  readonly id: string;
  readonly way: Way;
  readonly name: string;
  readonly approve: boolean;
  /** The reply to an attempt that came too late; undefined when it decided. */
  readonly lost?: string;
  /** The decisions of the record in the reply to an attempt that decided, where the reply has them. */
  readonly replied?: ApprovalRecord['decisions'];
}

export type Way = 'command line' | 'console' | 'library' | 'webhook' | 'elicitation';

/** Decides records one after the other, in its own way. */
export interface Approver {
  readonly way: Way;
  /** Prepares the decision of these records. Resolves when nothing but the decision is left, to the function that decides. */
  prepare(records: readonly ApprovalRecord[], approve: boolean): Promise<() => Promise<readonly Attempt[]>>;
}

/** `kernel.approvals.decide` in a process of its own. */
export function library(server: Server): Approver {
  const by = { way: 'library', name: 'lib' } as const;
  const decide = async ({ id }: ApprovalRecord, approve: boolean): Promise<Attempt> => {
    const { failure } = await server.order('decide', { approval: id, answer: { approve, by } });
    if (failure !== undefined && failure.code !== 'INVALID_PARAMETERS') throw new Error(`${id} by library: ${JSON.stringify(failure)}`);
    return { id, ...by, approve, ...(failure === undefined ? {} : { lost: failure.message }) };
  };
  return { way: by.way, prepare: async (records, approve) => () => inOrder(records, (record) => decide(record, approve)) };
}

/** Answers of a webhook, to the HTTP server of this process. */
export function webhookAnswers(server: Server): Approver {
  const by = { way: 'webhook', name: webhook.name } as const;
  const decide = async ({ id, digest }: ApprovalRecord, approve: boolean): Promise<Attempt> => {
    const decision = approve ? 'approve' : 'refuse';
    const { status, body } = await answer(server.port, `msg_${randomUUID()}`, { approval: id, digest, decision });
    if (status !== 200 && status !== 409) throw new Error(`${id} by webhook: ${status} ${body}`);
    // No number: only the text is used.
    const { error } = JSON.parse(body) as { readonly error?: string };
    return { id, ...by, approve, ...(status === 200 ? {} : { lost: error ?? body }) };
  };
  return { way: by.way, prepare: async (records, approve) => () => inOrder(records, (record) => decide(record, approve)) };
}

/** Posts an answer that is signed as Standard Webhooks say. */
async function answer(port: number, message: string, body: object): Promise<{ readonly status: number; readonly body: string }> {
  const text = JSON.stringify(body);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${message}.${timestamp}.${text}`).digest('base64');
  const headers = {
    'webhook-id': message,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    authorization: undefined,
  };
  return send(port, { path: '/approvals/answer', headers, body: text });
}

/** `toolkit approvals approve | refuse`, one program for the records of a batch, of which there must be several. */
export function commandLine(site: Site): Approver {
  const by = { way: 'command line', name: os.userInfo().username } as const;
  return {
    way: by.way,
    prepare: async (records, approve) => {
      const ids = records.map(({ id }) => id);
      const proceed = await site.ready(['approvals', approve ? 'approve' : 'refuse', ...ids, '--yes', '--json']);
      return async () => {
        const { exit, stdout, stderr } = await proceed();
        await exit;
        const decided = decidedIn(stdout(), stderr());
        return decided.map(({ id, approval, failure }) => ({
          ...{ id, ...by, approve },
          ...(failure === null ? {} : { lost: failure }),
          ...(approval === null ? {} : { replied: approval.decisions.map(toDecision) }),
        }));
      };
    },
  };
}

/** The reply of the command line to one try. */
interface PrintedDecision {
  readonly id: string;
  readonly approval: { readonly decisions: readonly PrintedAnswer[] } | null;
  readonly failure: string | null;
}

interface PrintedAnswer {
  readonly approve: boolean;
  readonly by: { readonly way: string; readonly name: string };
  /** In ISO 8601. */
  readonly at: string;
}

function toDecision({ approve, by, at }: PrintedAnswer): ApprovalRecord['decisions'][number] {
  return { approve, by, at: Date.parse(at) };
}

function decidedIn(stdout: string, stderr: string): readonly PrintedDecision[] {
  try {
    // No number: only texts are used.
    return JSON.parse(stdout).decided;
  } catch {
    throw new Error(`the command line printed no decisions, but ${stdout}${stderr}`);
  }
}

/** Does the work for one value after the other. */
export async function inOrder<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const value of values) results.push(await work(value));
  return results;
}
