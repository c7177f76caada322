import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { pythonTimes } from './python-times.ts';
import { sharedTool } from './shared-tool.ts';

interface Formatted {
  readonly text: string;
  readonly note?: string;
}

describe('time_format', () => {
  const format = sharedTool<Formatted>('time_format');
  const time = '2024-02-29T09:05:07.089Z';

  it('writes what strftime writes', async () => {
    const forms = [
      ['yyyy-MM-dd HH:mm:ss', '%Y-%m-%d %H:%M:%S'],
      ['cccc, dd MMMM yy', '%A, %d %B %y'],
      ['ccc MMM', '%a %b'],
      ['hh:mm a', '%I:%M %p'],
      ["yyyy-MM-dd'T'HH:mm:ssZZZ", '%Y-%m-%dT%H:%M:%S%z'],
      ['kkkk WW c', '%G %V %u'],
      ['yyyy ooo', '%Y %j'],
      ["'day of' MM", 'day of %m'],
    ] as const;
    const zone = 'America/New_York';
    const program = `t = datetime(2024, 2, 29, 9, 5, 7, tzinfo=utc).astimezone(ZoneInfo("${zone}"))\nresult = [t.strftime(form) for _, form in given]`;
    const written = await Promise.all(forms.map(([form]) => format({ time, format: form, timezone: zone })));
    expect(written.map(({ text }) => text)).to.deep.equal(pythonTimes(program, forms));
  });

  const cases = [
    { what: 'the offset of the time itself', parameters: { time: '2024-02-29T10:00+05:45', format: 'HH:mm ZZ' }, text: '10:00 +05:45' },
    { what: 'another zone', parameters: { time, format: 'HH:mm z', timezone: 'Asia/Tokyo' }, text: '18:05 Asia/Tokyo' },
    {
      what: 'local time of a zone',
      parameters: { time: '2024-02-29', format: 'ff', timezone: 'Asia/Tokyo' },
      text: 'Feb 29, 2024, 12:00 AM',
    },
    { what: 'milliseconds and unix times', parameters: { time, format: 'SSS X x' }, text: '089 1709197507 1709197507089' },
    { what: 'German', parameters: { time, format: 'cccc, d. MMMM yyyy', locale: 'de' }, text: 'Donnerstag, 29. Februar 2024' },
    { what: 'Chinese', parameters: { time, format: 'DDD', locale: 'zh-CN' }, text: '2024年2月29日' },
    { what: 'Arabic digits', parameters: { time, format: 'dd/MM', locale: 'ar-EG' }, text: '٢٩/٠٢' },
    { what: 'text outside of ASCII', parameters: { time, format: 'yyyy年MM月dd日 👋' }, text: '2024年02月29日 👋' },
  ];
  for (const { what, parameters, text } of cases) {
    it(`writes ${what}`, async () => {
      expect(await format(parameters)).to.deep.equal({ text });
    });
  }

  it('says so where a rule decided which moment is meant', async () => {
    const { text, note } = await format({ time: '2024-10-27T02:30', format: 'HH:mm ZZ', timezone: 'Europe/Berlin' });
    expect(text).to.equal('02:30 +02:00');
    expect(note).to.include('comes twice in Europe/Berlin');
  });

  const refused = [
    { parameters: { format: 'YYYY-MM-DD' }, says: 'expected tokens of luxon, received "YYYY"' },
    {
      parameters: { format: 'DD/MM/yyyy' },
      says: 'expected no other date or time tokens beside "DD", which stands for a whole date or time',
    },
    { parameters: { format: 'yyyy-MM-ddTHH:mm' }, says: 'expected no other date or time tokens beside "T"' },
    { parameters: { format: 'b' }, says: 'received "b"' },
    { parameters: { format: 'yyyyy' }, says: 'received "yyyyy"' },
    { parameters: { format: "h 'o" }, says: 'expected single quotes in pairs' },
    {
      parameters: { locale: 'klingon language' },
      says: 'expected a language tag (BCP 47) such as en-GB, de or ja-JP, received "klingon language"',
    },
    { parameters: { locale: 'tlh' }, says: 'This server has no such language.' },
    { parameters: { time: 'now' }, says: 'expected ISO 8601' },
    { parameters: { timezone: 'CEST' }, says: 'expected an IANA time zone' },
    { parameters: { format: '' }, says: 'format expected' },
    { parameters: { format: 'y'.repeat(201) }, says: 'received string of 201 characters' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 50)}`, async () => {
      const { message } = await rejection(format({ time, format: 'yyyy', ...parameters }), 'INVALID_PARAMETERS');
      expect(message).to.include(says);
    });
  }

  it('has a meaning for every token that it lets through', async () => {
    // luxon prints a token that it does not know as it is written.
    const tokens = [
      ...'G GG y yy yyyy yyyyyy M MM MMM MMMM L LL LLL LLLL d dd o ooo H HH h hh m mm s ss S SSS u uu uuu a q qq kk kkkk W WW E EEE EEEE'.split(
        ' ',
      ),
      ...'c ccc cccc Z ZZ ZZZ z GGGGG MMMMM LLLLL EEEEE ccccc ZZZZ ZZZZZ n nn ii iiii X x D DD DDD DDDD t tt ttt tttt T TT TTT TTTT'.split(
        ' ',
      ),
      ...'f ff fff ffff F FF FFF FFFF'.split(' '),
    ];
    for (const token of tokens) expect((await format({ time, format: token })).text, token).to.not.equal(token);
  });
});
