import { createHmac, randomUUID } from 'node:crypto';
import type { ApprovalRecord } from '../../../../kernel/index.ts';
import { type Answer, send } from '../../mcp/support/wire.ts';
import type { World } from './attack-world.ts';

/** The webhooks of the attacks. Nothing listens behind their URLs unless a test says so. */
export const desk = { name: 'desk', url: 'http://127.0.0.1:9/desk', secret: 'the secret of the desk, of 32 bytes' } as const;
export const night = { name: 'night', url: 'http://127.0.0.1:9/night', secret: 'the secret of the night, of 32 bytes' } as const;

export interface SentAnswer {
  readonly id: string;
  /** Epoch seconds. */
  readonly timestamp: string;
  readonly body: string;
  readonly signature: string;
}

/** Returns the signature of a message, as in Standard Webhooks. */
export function signatureOf({ id, timestamp, body }: Omit<SentAnswer, 'signature'>, secret: string): string {
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** Returns a signed answer to a record, as its webhook sends it. */
export function answerTo(
  { id: approval, digest }: Pick<ApprovalRecord, 'id' | 'digest'>,
  {
    decision = 'approve',
    secret = desk.secret,
    ...more
  }: Partial<SentAnswer> & { readonly decision?: string; readonly secret?: string } = {},
): SentAnswer {
  const parts = {
    id: randomUUID(),
    timestamp: String(Math.floor(Date.now() / 1000)),
    body: JSON.stringify({ approval, digest, decision }),
    ...more,
  };
  return { ...parts, signature: more.signature ?? signatureOf(parts, secret) };
}

/** Sends an answer. Headers go over its own; undefined leaves one out. */
export function sendAnswer(
  { port }: World,
  { id, timestamp, body, signature }: SentAnswer,
  headers: Readonly<Record<string, string | string[] | undefined>> = {},
): Promise<Answer> {
  const own = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const noToken = { authorization: undefined, accept: undefined };
  return send(port, { path: '/approvals/answer', headers: { ...noToken, ...own, ...headers }, body });
}
