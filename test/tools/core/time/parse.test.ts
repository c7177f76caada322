import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../../support/rejection.ts';
import { pythonTimes } from './python-times.ts';
import { sharedTool } from './shared-tool.ts';

interface Parsed {
  readonly iso: string;
  readonly unix_seconds: number;
  readonly read_as: string;
  readonly note?: string;
}

describe('time_parse', () => {
  const parse = sharedTool<Parsed>('time_parse');

  it('reads what email.utils reads in mails', async () => {
    const texts = [
      ...['Thu, 29 Feb 2024 10:00:00 +0100', '29 Feb 2024 10:00:00 -0830', 'Mon, 01 Jan 2001 00:00:00 GMT', '1 Apr 1997 12:34 EST'],
      ...['Fri, 31 Dec 1999 23:59:59 +0000', 'Tue, 1 Jul 2003 10:52:37 +0200 (CEST)'],
    ];
    const program = 'from email.utils import parsedate_to_datetime as read\nresult = [int(read(text).timestamp()) for text in given]';
    const read = await Promise.all(texts.map((text) => parse({ text })));
    expect(read.map(({ unix_seconds }) => unix_seconds)).to.deep.equal(pythonTimes(program, texts));
    expect(new Set(read.map(({ read_as }) => read_as))).to.deep.equal(new Set(['rfc_2822']));
  });

  it('reads what Python reads as ISO 8601 and SQL', async () => {
    const texts = [
      ...['2024-02-29', '2024-02-29T10:00', '2024-02-29 10:00:00', '2024-02-29T10:00:00.123+05:45', '20240229T100000Z', '2024-W09-4'],
      ...['2024-W09-4T10:00:00+01:00', '2000-02-29 23:59:59.999-11:00'],
    ];
    const program = [
      'read = lambda text: datetime.fromisoformat(text)',
      'result = [iso((t if t.tzinfo else t.replace(tzinfo=utc)).astimezone(utc)) for t in map(read, given)]',
    ].join('\n');
    const read = await Promise.all(texts.map((text) => parse({ text })));
    expect(read.map(({ iso }) => iso)).to.deep.equal(pythonTimes(program, texts));
    expect(read.map(({ read_as }) => read_as === 'sql')).to.deep.equal(texts.map((text) => text.includes(' ')));
  });

  it('reads what strptime reads in a given form', async () => {
    const forms = [
      ['29.02.2024 10:05', 'dd.MM.yyyy HH:mm', '%d.%m.%Y %H:%M'],
      ['02/29/24', 'MM/dd/yy', '%m/%d/%y'],
      ['March 5, 2024 2:05 PM', 'MMMM d, yyyy h:mm a', '%B %d, %Y %I:%M %p'],
      ['5 Mar 2024 12:00 am', 'd MMM yyyy h:mm a', '%d %b %Y %I:%M %p'],
      ['Thursday 29 February 2024', 'cccc d MMMM yyyy', '%A %d %B %Y'],
      ['2024-060', 'yyyy-ooo', '%Y-%j'],
      ['20240229101112', 'yyyyMMddHHmmss', '%Y%m%d%H%M%S'],
      ['2024 W09 4', "kkkk 'W'WW c", '%G W%V %u'],
      ['2024年2月29日', 'yyyy年M月d日', '%Y年%m月%d日'],
      ['2024-02-29T10:00:00 +0530', "yyyy-MM-dd'T'HH:mm:ss ZZZ", '%Y-%m-%dT%H:%M:%S %z'],
    ] as const;
    const program = [
      'def read(text, form):',
      '    t = datetime.strptime(text, form)',
      '    return iso((t if t.tzinfo else t.replace(tzinfo=utc)).astimezone(utc))',
      'result = [read(text, form) for text, _, form in given]',
    ].join('\n');
    const read = await Promise.all(forms.map(([text, format]) => parse({ text, format })));
    expect(read.map(({ iso }) => iso)).to.deep.equal(pythonTimes(program, forms));
    expect(new Set(read.map(({ read_as }) => read_as))).to.deep.equal(new Set(['format']));
  });

  const http = ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'];
  for (const text of http) {
    it(`reads the HTTP date ${text}`, async () => {
      expect(await parse({ text })).to.deep.include({ iso: '1994-11-06T08:49:37.000Z', unix_seconds: 784111777 });
    });
  }

  const seconds = 'Read as unix seconds, because it has';
  const numbers = [
    { text: '1709197200', iso: '2024-02-29T09:00:00.000Z', read_as: 'unix_seconds', note: seconds },
    { text: '1709197200.75', iso: '2024-02-29T09:00:00.750Z', read_as: 'unix_seconds', note: seconds },
    { text: '999999999', iso: '2001-09-09T01:46:39.000Z', read_as: 'unix_seconds', note: seconds },
    {
      text: '1709197200123',
      iso: '2024-02-29T09:00:00.123Z',
      read_as: 'unix_milliseconds',
      note: 'Read as unix milliseconds, because it has 13',
    },
    {
      text: '20240229',
      iso: '2024-02-29T00:00:00.000Z',
      read_as: 'iso_8601',
      note: 'Read as the date YYYYMMDD; for unix seconds give the format X.',
    },
    { text: '2024060', iso: '2024-02-29T00:00:00.000Z', read_as: 'iso_8601', note: 'Read as the date YYYYDDD' },
    { text: '20240229', format: 'X', iso: '1970-08-23T06:17:09.000Z', read_as: 'unix_seconds' },
    { text: '0', format: 'X', iso: '1970-01-01T00:00:00.000Z', read_as: 'unix_seconds' },
    { text: '-0.5', format: 'X', iso: '1969-12-31T23:59:59.500Z', read_as: 'unix_seconds' },
    { text: '1709197200', format: 'x', iso: '1970-01-20T18:46:37.200Z', read_as: 'unix_milliseconds' },
  ];
  for (const { note, iso, read_as, ...parameters } of numbers) {
    it(`reads the number ${JSON.stringify(parameters)}`, async () => {
      const parsed = await parse(parameters);
      expect(parsed).to.include({ iso, read_as, unix_seconds: Math.floor(Date.parse(iso) / 1000) });
      if (note === undefined) expect(parsed).to.not.have.property('note');
      else expect(parsed.note).to.include(note);
    });
  }

  it('takes a text without a zone for local time, and shows every result in the zone', async () => {
    const timezone = 'Asia/Kathmandu';
    expect(await parse({ text: '2024-02-29 10:00', timezone })).to.include({ iso: '2024-02-29T10:00:00.000+05:45' });
    expect(await parse({ text: '2024-02-29T10:00Z', timezone })).to.include({ iso: '2024-02-29T15:45:00.000+05:45' });
    expect(await parse({ text: '29.2.2024', format: 'd.M.yyyy', timezone })).to.include({ iso: '2024-02-29T00:00:00.000+05:45' });
  });

  const twice = [
    { text: '2024-10-27T02:30' },
    { text: '27.10.2024 02:30', format: 'dd.MM.yyyy HH:mm' },
    { text: '27.10.2024 02:30 Europe/Berlin', format: 'dd.MM.yyyy HH:mm z' },
  ];
  for (const given of twice) {
    it(`takes the first of two times that look the same in ${JSON.stringify(given)}, in every season`, async () => {
      for (const now of ['2024-01-15', '2024-07-15']) {
        sinon.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
        const parsed = await parse({ ...given, timezone: 'Europe/Berlin' });
        sinon.restore();
        expect(parsed.iso).to.equal('2024-10-27T02:30:00.000+02:00');
        expect(parsed.note).to.include('comes twice in Europe/Berlin');
      }
    });
  }

  it('moves a time that the clocks skip forward', async () => {
    const parsed = await parse({ text: '2024-03-31 02:30', timezone: 'Europe/Berlin' });
    expect(parsed.iso).to.equal('2024-03-31T03:30:00.000+02:00');
    expect(parsed.note).to.include('does not exist in Europe/Berlin');
  });

  const quotes = "other letters stand in single quotes, as in yyyy-MM-dd'T'HH:mm.";
  const refused = [
    {
      text: 'tomorrow',
      says: 'For any other form give format, as in dd.MM.yyyy or MM/dd/yyyy h:mm a; words such as "tomorrow" are not read.',
    },
    { text: '03/04/2024', says: 'expected ISO 8601 (2024-02-29T10:00:00+01:00), SQL (2024-02-29 10:00:00), RFC 2822' },
    { text: '明日 10時', says: 'received "明日 10時"' },
    { text: ' ', says: 'received ""' },
    { text: '2024', says: 'expected 9 or 10 digits (unix seconds) or 13 (unix milliseconds), received "2024" with 4' },
    { text: '20240229101112', says: 'Give format: X for seconds, x for milliseconds, or such as yyyyMMddHHmmss.' },
    { text: '1709197200123456', says: 'with 16' },
    { text: '2024-02-30', says: 'in which there is no day 30' },
    { text: '2023-366', says: 'in which there is no day of the year 366' },
    { text: '2024-02-29T23:59:60Z', says: 'in which there is no second 60' },
    { text: 'Wed, 29 Feb 2024 10:00:00 +0100', says: 'whose date is on another day of the week' },
    { text: 'Fri, 30 Feb 2024 10:00:00 +0100', says: 'in which there is no day 30' },
    { text: 'abc', format: 'X', says: 'expected seconds since 1970 as a number, received "abc"' },
    { text: '9e99', format: 'x', says: 'expected milliseconds since 1970 as a number' },
    { text: '99999999999999999', format: 'X', says: 'expected seconds since 1970' },
    { text: '253402300800', format: 'X', says: 'expected a time in the years 1 to 9999' },
    { text: '2024-02-29', format: 'dd.MM.yyyy', says: 'expected a text of the form "dd.MM.yyyy", received "2024-02-29"' },
    { text: '30.02.2024', format: 'dd.MM.yyyy', says: 'in which there is no day 30' },
    { text: 'Mon 29 Feb 2024', format: 'ccc d MMM yyyy', says: 'whose date is on another day of the week' },
    { text: '29 février 2024', format: 'd MMMM yyyy', says: 'Month and day names are read in English.' },
    { text: '14:30', format: 'HH:mm', says: 'expected a form with a year' },
    { text: '1.1.2024 Mars/X', format: 'd.M.yyyy z', says: 'expected an IANA time zone such as Europe/Berlin, received "Mars/X"' },
    { text: 'x', format: 'YYYY-MM-DD', says: `received "YYYY". Year yyyy, month MM, day dd, hour HH, minute mm, second ss; ${quotes}` },
    { text: 'x', format: 'DD.MM.yyyy', says: 'expected no other date or time tokens beside "DD"' },
    { text: 'x', format: 'yyyy-MM-ddTHH:mm', says: 'expected no other date or time tokens beside "T"' },
    { text: 'x', format: "yyyy 'o", says: 'expected single quotes in pairs' },
    { text: 'x', format: 'yyyy X', says: 'expected tokens of luxon, received "X"' },
    { text: '2024', timezone: 'PST', says: 'expected an IANA time zone' },
    { text: 'x'.repeat(201), says: 'received string of 201 characters' },
    { text: '2024', format: 'y'.repeat(101), says: 'received string of 101 characters' },
  ];
  for (const { says, ...parameters } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 70)}`, async () => {
      expect((await rejection(parse(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }

  it('refuses a form that could be tried in endless combinations, and tries a text against the longest one at once', async () => {
    const error = await rejection(parse({ text: '1'.repeat(90), format: 'dM'.repeat(50) }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('expected each token once, received "d" twice');
    await rejection(parse({ text: `${'1'.repeat(190)}x`, format: 'yMLdoHhmsSuqWkkkkc' }), 'INVALID_PARAMETERS');
  });
});
