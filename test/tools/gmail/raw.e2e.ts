import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { packAgainst } from '../packs.ts';
import { compose, composers, token } from './sent-mail.ts';

const note = { to: 'ada@example.com', subject: 'Minutes', body: 'Hello Ada,\n\nhere are the minutes.\n' };
const manyWords = 'Grüße aus 東京 🚀 und noch viele Wörter, die nicht in eine Zeile passen. '.repeat(5).trim();

for (const composer of composers) {
  describe(`${composer.tool}: the message`, () => {
    it('has what was given and nothing else', async () => {
      const { message, mail } = await compose(composer, note);
      expect(message).to.have.all.keys('raw');
      expect(message.raw).to.match(/^[A-Za-z0-9_-]+$/);
      expect({ ...mail, text: mail.text.trimEnd() }).to.deep.equal({
        headers: { to: 'ada@example.com', subject: 'Minutes' },
        contentType: 'text/plain',
        text: 'Hello Ada,\n\nhere are the minutes.',
        defects: [],
      });
    });

    it('keeps every recipient, those of Bcc included, whatever script the names are in', async () => {
      const people = {
        to: 'Ada Lovelace <ada@example.com>, "Größe, Jürgen" <groesse@example.com>',
        cc: '田中 <tanaka@example.com>, carl@example.com',
        bcc: 'archive@example.com, Hidden <hidden@example.com>',
        reply_to: 'Team Köln <team@example.com>',
      };
      const { mail } = await compose(composer, { ...note, ...people });
      expect(mail.headers).to.deep.equal({
        subject: 'Minutes',
        to: people.to,
        cc: people.cc,
        bcc: people.bcc,
        'reply-to': people.reply_to,
      });
      expect(mail.defects).to.deep.equal([]);
    });

    it('has headers of ASCII lines that end with CR and LF, with non-ASCII subjects as encoded words', async () => {
      const { bytes, mail } = await compose(composer, { ...note, subject: manyWords });
      const head = bytes.slice(0, bytes.indexOf('\r\n\r\n'));
      expect(head).to.match(/^[\x20-\x7e\r\n]+$/);
      expect(head.replaceAll('\r\n', '')).to.not.match(/[\r\n]/);
      expect(head).to.match(/^Subject: =\?UTF-8\?[BQ]\?/im);
      expect(head.split('\r\n').filter((line) => line.length > 78)).to.deep.equal([]);
      expect(mail.headers['subject']).to.equal(manyWords);
    });

    it('is HTML where is_html is true', async () => {
      const body = '<p>Schöne Grüße &amp; <b>bis bald</b> in 東京</p>';
      const { mail } = await compose(composer, { ...note, body, is_html: true });
      expect({ type: mail.contentType, text: mail.text.trimEnd(), defects: mail.defects }).to.deep.equal({
        type: 'text/html',
        text: body,
        defects: [],
      });
    });

    it('keeps markup as text where is_html is false', async () => {
      const { mail } = await compose(composer, { ...note, body: '<b>bold</b>', is_html: false });
      expect([mail.contentType, mail.text.trimEnd()]).to.deep.equal(['text/plain', '<b>bold</b>']);
    });

    for (const [what, body] of [
      ['one line', `${'Größe 東京 🚀 '.repeat(20_000)}end`],
      ['one line of ASCII', 'x'.repeat(300_000)],
      ['many lines', 'Zeile mit Umlauten äöü\n.\nFrom here\n'.repeat(5_000).trimEnd()],
    ] as const) {
      it(`carries a very long body of ${what} in lines that every server takes`, async () => {
        const { bytes, mail } = await compose(composer, { ...note, body });
        expect(mail.text.trimEnd()).to.equal(body);
        expect(Math.max(...bytes.split('\n').map(({ length }) => length))).to.be.at.most(999);
      });
    }

    it('goes into its conversation, with the ids of the messages before', async () => {
      const thread = {
        thread_id: '18c5f2a7b3d4e6f1',
        in_reply_to: '<CAF1b2c3@mail.example.com>',
        references: '<CAF0a1b2@mail.example.com> <CAF1b2c3@mail.example.com>',
      };
      const { message, mail } = await compose(composer, { ...note, ...thread });
      expect(message.threadId).to.equal('18c5f2a7b3d4e6f1');
      expect(mail.headers).to.include({ 'in-reply-to': thread.in_reply_to, references: thread.references });
    });

    it('keeps what looks like a header in the body, and braces as they are', async () => {
      const body = 'Bcc: evil@example.com\nSubject: other\n\n{GMAIL_ACCESS_TOKEN} {to} {{raw}}';
      const { bytes, mail } = await compose(composer, { ...note, body });
      expect(mail.headers).to.deep.equal({ to: note.to, subject: note.subject });
      expect(mail.text.trimEnd()).to.equal(body);
      expect(bytes).to.not.include(token);
    });

    for (const name of ['to', 'cc', 'bcc', 'reply_to', 'subject', 'in_reply_to', 'references']) {
      it(`refuses line breaks in ${name}, which would begin a header of their own`, async () => {
        const { toolkit, requests } = await packAgainst('gmail', (_request, response) => response.end());
        for (const end of ['\r\n', '\n', '\r', '\r\n\r\n']) {
          const wrong = { ...note, [name]: `a@example.com${end}Bcc: evil@example.com` };
          const error = await rejection(toolkit.execute(composer.tool, wrong), 'INVALID_PARAMETERS');
          expect(error.message).to.include(`"${name}"`).and.to.include('without line breaks');
          expect(error.details.issues?.map(({ path }) => path)).to.deep.equal([name]);
        }
        expect(requests).to.deep.equal([]);
      });
    }
  });
}
