import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { encoder, mailSources } from '../encoder.ts';
import { python } from '../python.ts';

const readMail = `
import sys, json, base64, email, email.policy
raw = base64.urlsafe_b64decode(sys.stdin.read() + '==')
message = email.message_from_bytes(raw, policy=email.policy.default)
body = lambda kind: (lambda part: part and part.get_content().replace('\\r\\n', '\\n'))(message.get_body((kind,)))
print(json.dumps({
  'headers': {name.lower(): str(value) for name, value in message.items() if name.lower() not in ('message-id', 'date', 'content-type', 'content-transfer-encoding', 'mime-version')},
  'plain': body('plain'), 'html': body('html'), 'defects': [str(defect) for part in message.walk() for defect in part.defects],
  'attachments': [[part.get_filename(), part.get_content_type(), base64.b64encode(part.get_payload(decode=True)).decode()] for part in message.iter_attachments()],
}))`;

interface Mail {
  readonly headers: Readonly<Record<string, string>>;
  readonly plain: string | null;
  readonly html: string | null;
  readonly defects: readonly string[];
  readonly attachments: readonly (readonly string[])[];
}

async function mail(values: Readonly<Record<string, unknown>>): Promise<Mail> {
  const { call, encoded } = await encoder('mime_rfc2822_base64url', mailSources);
  await call(values);
  const text = encoded() as string;
  expect(text).to.match(/^[A-Za-z0-9_-]+$/);
  return python(readMail, text) as Mail;
}

describe('executor-http: mime_rfc2822_base64url', () => {
  it('writes a message with a non-ASCII subject, text and sender', async () => {
    const message = await mail({
      from: 'Jürgen Größe <juergen@example.com>',
      to: 'ada@example.com',
      subject: 'Grüße aus 東京 🚀 — a subject that is long enough to be folded into more than one line of the header',
      text: 'Schöne Grüße\n.\nEnde',
    });
    expect(message.headers).to.deep.equal({
      from: 'Jürgen Größe <juergen@example.com>',
      to: 'ada@example.com',
      subject: 'Grüße aus 東京 🚀 — a subject that is long enough to be folded into more than one line of the header',
    });
    expect({ plain: message.plain?.trimEnd(), html: message.html, defects: message.defects }).to.deep.equal({
      plain: 'Schöne Grüße\n.\nEnde',
      html: null,
      defects: [],
    });
  });

  for (const [isHtml, plain, html] of [
    [undefined, '<b>ü</b>', null],
    [false, '<b>ü</b>', null],
    [true, null, '<b>ü</b>'],
  ] as const) {
    it(`writes a body as ${html === null ? 'text' : 'HTML'} where is_html is ${isHtml}`, async () => {
      const message = await mail({ to: 'ada@example.com', body: '<b>ü</b>', ...(isHtml === undefined ? {} : { is_html: isHtml }) });
      expect({ plain: message.plain?.trimEnd() ?? null, html: message.html?.trimEnd() ?? null }).to.deep.equal({ plain, html });
    });
  }

  it('writes every address field, Bcc included, from text and lists', async () => {
    const { headers } = await mail({
      from: 'me@example.com',
      to: ['a@example.com', 'Bea <b@example.com>'],
      cc: 'c@example.com, d@example.com',
      bcc: [{ name: 'Hidden', address: 'e@example.com' }],
      reply_to: 'list@example.com',
      in_reply_to: '<one@example.com>',
      references: '<zero@example.com> <one@example.com>',
      subject: 'Re: all',
      text: 'x',
    });
    expect(headers).to.deep.equal({
      from: 'me@example.com',
      to: 'a@example.com, Bea <b@example.com>',
      cc: 'c@example.com, d@example.com',
      bcc: 'Hidden <e@example.com>',
      'reply-to': 'list@example.com',
      'in-reply-to': '<one@example.com>',
      references: '<zero@example.com> <one@example.com>',
      subject: 'Re: all',
    });
  });

  it('writes text, HTML and attachments', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 46, 13, 10, 128]);
    const message = await mail({
      to: 'a@example.com',
      subject: 'files',
      text: 'see below',
      html: '<p>see <b>below</b></p>',
      attachments: [
        { filename: 'Übersicht "1".bin', content_base64: bytes.toString('base64'), content_type: 'application/x-thing' },
        { filename: 'notes.txt', content_base64: Buffer.from('hi').toString('base64url') },
      ],
    });
    expect(message.plain?.trimEnd()).to.equal('see below');
    expect(message.html?.trimEnd()).to.equal('<p>see <b>below</b></p>');
    expect(message.attachments).to.deep.equal([
      ['Übersicht "1".bin', 'application/x-thing', bytes.toString('base64')],
      ['notes.txt', 'text/plain', Buffer.from('hi').toString('base64')],
    ]);
    expect(message.defects).to.deep.equal([]);
  });

  const injections = [
    { where: 'the subject', values: { subject: 'x\r\nBcc: evil@example.com' } },
    { where: 'an address', values: { to: 'a@example.com\nBcc: evil@example.com' } },
    { where: 'an address in a list', values: { to: ['a@example.com', 'b@example.com\rBcc: evil@example.com'] } },
    { where: 'the name of an address', values: { to: { name: 'x\r\nBcc: evil@example.com', address: 'a@example.com' } } },
    { where: 'the references', values: { references: ['<a@b>\r\nX: y'] } },
    { where: 'the name of a file', values: { attachments: [{ filename: 'x\r\nX: y', content_base64: '' }] } },
    { where: 'the type of a file', values: { attachments: [{ content_type: 'text/plain\r\nX: y', content_base64: '' }] } },
  ];
  for (const { where, values } of injections) {
    it(`refuses a line break in ${where}`, async () => {
      const { call, encoded } = await encoder('mime_rfc2822_base64url', mailSources);
      const error = await rejection(call({ text: 'x', ...values }), 'INVALID_PARAMETERS');
      expect(error.message)
        .to.include(`"${Object.keys(values)[0]}"`)
        .and.to.include('without line breaks');
      expect(encoded()).to.equal(undefined);
    });
  }

  for (const to of [
    'Ada',
    'ada@example.com, Bob',
    'Ada <ada>',
    ['ada@example.com', 'Bob'],
    { name: 'Ada' },
    'friends: ada@example.com, Bob;',
  ]) {
    it(`refuses ${JSON.stringify(to)} as recipients, instead of leaving somebody out`, async () => {
      const { call, encoded } = await encoder('mime_rfc2822_base64url', mailSources);
      const error = await rejection(call({ to, subject: 'x', text: 'y' }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('"to"').and.to.include('addresses with an "@"');
      expect(encoded()).to.equal(undefined);
    });
  }

  for (const text of ['one\ntwo\r\nthree\rfour', 'größe\n'.repeat(100), `${'x'.repeat(2000)}\n\n`]) {
    it(`ends every line of ${JSON.stringify(text.slice(0, 30))} with CR and LF`, async () => {
      const { call, encoded } = await encoder('mime_rfc2822_base64url', mailSources);
      await call({ to: 'a@example.com', subject: 'x', text });
      const raw = Buffer.from(encoded() as string, 'base64url').toString('latin1');
      expect(raw.replaceAll('\r\n', '')).to.not.match(/[\r\n]/);
    });
  }

  it('keeps what looks like a header in the text', async () => {
    const message = await mail({ subject: 'x', text: 'Bcc: evil@example.com\n\nX: y', bcc: 'b@example.com' });
    expect(message.headers).to.deep.equal({ subject: 'x', bcc: 'b@example.com' });
    expect(message.plain?.trimEnd()).to.equal('Bcc: evil@example.com\n\nX: y');
  });

  for (const attachments of [['x'], [{ filename: 'a' }], [{ content_base64: 'not base64!' }], 'file.txt', [{ path: '/etc/passwd' }]]) {
    it(`refuses ${JSON.stringify(attachments)} as attachments`, async () => {
      const { call } = await encoder('mime_rfc2822_base64url', mailSources);
      const error = await rejection(call({ subject: 'x', attachments }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('{filename, content_base64, content_type}');
    });
  }

  for (const text of [{ path: '/etc/hostname' }, { href: 'http://127.0.0.1/' }, 5]) {
    it(`refuses ${JSON.stringify(text)} as text, instead of reading a file or a URL`, async () => {
      const { call } = await encoder('mime_rfc2822_base64url', mailSources);
      const error = await rejection(call({ subject: 'x', text }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('"text"').and.to.include('expected a string');
    });
  }

  it('takes sources of other names by options.fields', async () => {
    const { call, encoded } = await encoder('mime_rfc2822_base64url', ['to', 'body'], { fields: { body: 'text' } });
    await call({ to: 'a@example.com', body: 'hello' });
    const message = python(readMail, encoded() as string) as Mail;
    expect(message.plain?.trimEnd()).to.equal('hello');
  });

  it('refuses a source that is no field of a message', async () => {
    const { call } = await encoder('mime_rfc2822_base64url', ['object']);
    const error = await rejection(call({ object: 'hello' }), 'TOOL_INVALID');
    expect(error.message).to.include('no field for the source "object"').and.to.include('options.fields');
  });
});
