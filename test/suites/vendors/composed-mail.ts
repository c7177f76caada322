import { isPlainObject } from '../../../kernel/index.ts';

/** Stands for a message that is composed of several parameters, wherever a body has one. */
export const composed = Symbol('composed message');

/** Returns the faults of a sent message (RFC 5322 in base64url): its alphabet, its line ends, headers outside of ASCII, and missing headers. */
export function findingsInMail(raw: unknown, { to, cc, bcc }: Readonly<Record<string, unknown>>): readonly string[] {
  if (typeof raw !== 'string' || !/^[A-Za-z0-9_-]+={0,2}$/.test(raw)) return ['the message is not base64url'];
  const message = Buffer.from(raw, 'base64url').toString('latin1');
  const [head = ''] = message.split('\r\n\r\n', 1);
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ');
  const isThere = (name: string): boolean => new RegExp(`^${name}: \\S`, 'im').test(unfolded);
  const wanted = [
    'MIME-Version',
    'Subject',
    ...Object.entries({ to, cc, bcc }).flatMap(([name, value]) => (value === undefined ? [] : [name])),
  ];
  return [
    ...(/(^|[^\r])\n|\r(?!\n)/.test(message) ? ['the message has line ends other than CRLF'] : []),
    ...(/[^\x20-\x7e\r\n\t]/.test(head) ? ['the message has headers that are not ASCII'] : []),
    ...wanted.filter((name) => !isThere(name)).map((name) => `the message has no header ${name}`),
  ];
}

/** A body with the mark in place of its message, and that message. */
export function withoutMail(body: unknown, into: string | undefined): { readonly body: unknown; readonly raw?: unknown } {
  if (into === undefined || !isPlainObject(body)) return { body };
  const [first = '', ...rest] = into.split('.');
  if (rest.length === 0) return { body: { ...body, [first]: composed }, raw: body[first] };
  const inner = withoutMail(body[first] ?? {}, rest.join('.'));
  return { ...inner, body: { ...body, [first]: inner.body } };
}
