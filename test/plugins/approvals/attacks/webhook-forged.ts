import type { ApprovalRecord } from '../../../../kernel/index.ts';
import { type Attack, given } from './attack.ts';
import type { WorldOptions } from './attack-world.ts';
import { answerTo, desk, night, type SentAnswer, sendAnswer, signatureOf } from './signed-answer.ts';

export const hooked: WorldOptions = { serves: true, approvals: { webhooks: [desk, night] } };

type Headers = Readonly<Record<string, string | string[] | undefined>>;

interface Forged {
  readonly what: string;
  /** @default the signed answer */
  readonly answer?: (record: ApprovalRecord, other: ApprovalRecord) => SentAnswer;
  readonly headers?: Headers;
  readonly status: number;
  /** @default a rejected answer */
  readonly says?: RegExp;
}

const inSeconds = (ms: number): string => String(Math.floor((Date.now() + ms) / 1000));

const signatures: readonly Forged[] = [
  { what: 'no signature', headers: { 'webhook-signature': undefined }, status: 401 },
  { what: 'an empty signature', headers: { 'webhook-signature': '' }, status: 401 },
  { what: 'the version of a signature alone', headers: { 'webhook-signature': 'v1,' }, status: 401 },
  { what: 'the key of no webhook', answer: (record) => answerTo(record, { secret: 'a secret that no webhook has' }), status: 401 },
  { what: 'an empty key', answer: (record) => answerTo(record, { secret: '' }), status: 401 },
  { what: 'the name of the webhook as key', answer: (record) => answerTo(record, { secret: desk.name }), status: 401 },
  { what: 'the signature of no algorithm', answer: (record) => answerTo(record, { signature: 'none' }), status: 401 },
  { what: 'its signature cut off', answer: (record) => changedSignature(record, (text) => text.slice(0, -8)), status: 401 },
  {
    what: 'a signature of another version',
    answer: (record) => changedSignature(record, (text) => text.replace('v1,', 'v0,')),
    status: 401,
  },
  { what: 'a signature of public keys', answer: (record) => changedSignature(record, (text) => text.replace('v1,', 'v1a,')), status: 401 },
  { what: 'a signature in hex', answer: (record) => changedSignature(record, inHex), status: 401 },
  { what: 'forty signatures', answer: (record) => changedSignature(record, () => wrongSignatures(40)), status: 401 },
  { what: 'no id', headers: { 'webhook-id': undefined }, status: 401 },
  { what: 'another id', headers: { 'webhook-id': 'another' }, status: 401 },
  { what: 'no time', headers: { 'webhook-timestamp': undefined }, status: 401 },
  { what: 'another time', headers: { 'webhook-timestamp': inSeconds(-1000) }, status: 401 },
  { what: 'a time in hex', answer: (record) => answerTo(record, { timestamp: '0x6aa00000' }), status: 401 },
  { what: 'a time in milliseconds', answer: (record) => answerTo(record, { timestamp: String(Date.now()) }), status: 401 },
  { what: 'a time before 5 minutes and more', answer: (record) => answerTo(record, { timestamp: inSeconds(-301_000) }), status: 401 },
  { what: 'a time in 5 minutes and more', answer: (record) => answerTo(record, { timestamp: inSeconds(302_000) }), status: 401 },
  { what: 'a time in a thousand years', answer: (record) => answerTo(record, { timestamp: '99999999999' }), status: 401 },
];

const bodies: readonly Forged[] = [
  {
    what: 'a no made a yes after it was signed',
    answer: (record) => edited(answerTo(record, { decision: 'refuse' }), ['refuse', 'approve']),
    status: 401,
  },
  {
    what: 'another record after it was signed',
    answer: (record, other) => edited(answerTo(other), [other.id, record.id], [other.digest, record.digest]),
    status: 401,
  },
  { what: 'a space more after it was signed', answer: (record) => edited(answerTo(record), ['{', '{ ']), status: 401 },
  { what: 'a dot of the time in the id', answer: dotInId, status: 401 },
  { what: 'the digest of another record', answer: ({ id }, { digest }) => answerTo({ id, digest }), status: 409 },
  {
    what: 'no digest',
    answer: ({ id }) => answerTo({ id, digest: '' }, { body: JSON.stringify({ approval: id, decision: 'approve' }) }),
    status: 400,
  },
  { what: 'an id of no record', answer: ({ digest }) => answerTo({ id: '0000000000-0000000000', digest }), status: 404 },
  { what: 'a path to a record', answer: ({ id, digest }) => answerTo({ id: `../record/${id}`, digest }), status: 404 },
  { what: 'the decision "yes"', answer: (record) => answerTo(record, { decision: 'yes' }), status: 400 },
  {
    what: 'the name of an approver',
    answer: ({ id, digest }) =>
      answerTo(
        { id, digest },
        { body: JSON.stringify({ approval: id, digest, decision: 'approve', by: { way: 'webhook', name: 'night' } }) },
      ),
    status: 400,
  },
  {
    what: 'a list of answers',
    answer: ({ id, digest }) => answerTo({ id, digest }, { body: JSON.stringify([{ approval: id, digest, decision: 'approve' }]) }),
    status: 400,
  },
  { what: 'no body', answer: (record) => answerTo(record, { body: '' }), status: 400 },
];

const refused = /request: \d+ /;

const requests: readonly Forged[] = [
  { what: 'the Host of an attacker', headers: { host: 'attacker.example' }, status: 403, says: refused },
  { what: 'the Host of an internal service', headers: { host: '169.254.169.254' }, status: 403, says: refused },
  { what: 'the Origin of an attacker', headers: { origin: 'https://attacker.example' }, status: 403, says: refused },
  { what: 'the Origin null', headers: { origin: 'null' }, status: 403, says: refused },
  {
    what: 'the word of a browser that it comes from another site',
    headers: { 'sec-fetch-site': 'cross-site' },
    status: 403,
    says: refused,
  },
  { what: 'the type of a form', headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 415, says: refused },
  {
    what: 'the type of a text, as a page of another site can send it',
    headers: { 'content-type': 'text/plain' },
    status: 415,
    says: refused,
  },
];

/** Answers to the route for webhooks. */
export const webhookForged: readonly Attack[] = [...signatures, ...bodies, ...requests].map(
  ({ what, answer = answerTo, headers = {}, status, says = /answer / }) => ({
    attack: `an answer by webhook with ${what}`,
    world: hooked,
    begin: async (world) => {
      const other = await world.hold({ ...given, amount: 2 });
      const held = await world.hold(given);
      return async () => {
        const { status: received, body } = await sendAnswer(world, answer(held, other), headers);
        if (received !== status) throw new Error(`The answer was answered with ${received} ${body}, not ${status}.`);
      };
    },
    says,
  }),
);

function edited(answer: SentAnswer, ...texts: readonly (readonly [string, string])[]): SentAnswer {
  return { ...answer, body: texts.reduce((body, [from, to]) => body.replace(from, to), answer.body) };
}

function changedSignature(record: ApprovalRecord, change: (signature: string) => string): SentAnswer {
  const answer = answerTo(record);
  return { ...answer, signature: change(answer.signature) };
}

function inHex(signature: string): string {
  return `v1,${Buffer.from(signature.slice(3), 'base64').toString('hex')}`;
}

function wrongSignatures(length: number): string {
  return Array.from({ length }, () => `v1,${'A'.repeat(43)}=`).join(' ');
}

/** A signature over `id.time.body` that would also be one over an id with a dot and another time. */
function dotInId(record: ApprovalRecord): SentAnswer {
  const answer = answerTo(record, { id: 'one' });
  const later = inSeconds(0);
  const body = `${later}.${answer.body}`;
  return { id: `one.${answer.timestamp}`, timestamp: later, body: answer.body, signature: signatureOf({ ...answer, body }, desk.secret) };
}
