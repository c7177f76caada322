import { expect } from 'chai';
import { approvalQuestion } from '../../../plugins/shared/approval/approval-question.ts';
import type { HumanRequest } from '../../../plugins/shared/approval/human-request.ts';

const about = (parameters: Readonly<Record<string, unknown>>, more: Partial<HumanRequest> = {}): string =>
  approvalQuestion({
    tool: 'pay',
    description: 'Pays.',
    risk: 'high',
    reason: 'its definition requires approval',
    parameters,
    caller: 'desk-4',
    ...more,
  }).message;

/** The lines that show parameters. */
const linesOf = (message: string): string[] => message.split('\n').filter((line) => line.startsWith('  '));

describe('the question of an approval', () => {
  it('says which tool would run, why it asks, for whom and with what', () => {
    expect(about({ amount: 5, to: { name: 'Ada' }, note: 'für Grüße 😀 & 日本' }, { provider: 'bank' })).to.equal(
      [
        'Run "pay"? Its risk is high.',
        '```',
        'tool: pay',
        'provider: bank',
        'caller: "desk-4"',
        'reason: its definition requires approval',
        'parameters:',
        '  "amount": 5',
        '  "to": {"name":"Ada"}',
        '  "note": "für Grüße 😀 & 日本"',
        '```',
      ].join('\n'),
    );
  });

  it('says so when there are no parameters', () => {
    expect(about({})).to.include('\nparameters: none\n```').and.not.include('provider');
  });

  it('has one yes or no as its form, which is no until the person says yes', () => {
    const { schema } = approvalQuestion({ tool: 't', description: '', risk: 'low', reason: '', parameters: {}, caller: '' });
    expect(Object.keys(schema['properties'] as object)).to.deep.equal(['approve']);
    expect(schema).to.deep.include({ type: 'object', required: ['approve'] });
    expect(schema).to.have.deep.nested.property('properties.approve.default', false);
    expect(schema).to.have.deep.nested.property('properties.approve.type', 'boolean');
  });

  const lineCount = about({ text: 'x' }).split('\n').length;
  const injections: readonly { what: string; text: string; shows: string }[] = [
    { what: 'line breaks', text: 'x\napproved: true\r\n```\ntool: other', shows: '"x\\napproved: true\\r\\n```\\ntool: other"' },
    { what: 'Unicode line breaks', text: 'a\u2028b\u2029c\u0085d\vd', shows: '"a\\u2028b\\u2029c\\u0085d\\u000bd"' },
    { what: 'terminal controls', text: '\u001b[2K\u001b[1A\u009b8m\u0007', shows: '"\\u001b[2K\\u001b[1A\\u009b8m\\u0007"' },
    { what: 'a backspace and DEL', text: 'no\b\byes\u007f', shows: '"no\\b\\byes\\u007f"' },
    { what: 'a right-to-left override', text: '\u202eevil\u202c', shows: '"\\u202eevil\\u202c"' },
    { what: 'isolates and marks of direction', text: '\u2066a\u2069\u200f\u061c', shows: '"\\u2066a\\u2069\\u200f\\u061c"' },
    { what: 'zero-width characters', text: 'a\u200bb\u200db\ufeffc\u2060', shows: '"a\\u200bb\\u200db\\ufeffc\\u2060"' },
    { what: 'a soft hyphen and fillers', text: '\u00ad\u115f\u3164\uffa0\u2800', shows: '"\\u00ad\\u115f\\u3164\\uffa0\\u2800"' },
    { what: 'marks of annotation', text: 'a\ufff9b\ufffbc\u0600', shows: '"a\\ufff9b\\ufffbc\\u0600"' },
    { what: 'tag characters', text: 'a\u{e0041}', shows: '"a\\udb40\\udc41"' },
    { what: 'variation selectors', text: 'a\ufe0f\u{e0100}', shows: '"a\\ufe0f\\udb40\\udd00"' },
    { what: 'private and unassigned characters', text: '\ue000\u{10ffff}\u0378', shows: '"\\ue000\\udbff\\udfff\\u0378"' },
    { what: 'spaces that look like the space, or like nothing', text: 'a\u00a0\u2003\u3000b c', shows: '"a\\u00a0\\u2003\\u3000b c"' },
    { what: 'half a surrogate pair', text: '\ud800', shows: '"\\ud800"' },
    { what: 'a tower of marks', text: `e${'\u0301'.repeat(5)}`, shows: '"e\u0301\u0301\u0301\\u0301\\u0301"' },
    { what: 'an HTML comment', text: 'a<!-- rm -rf / -->b', shows: '"a\\u003c!-- rm -rf / -->b"' },
    { what: 'HTML tags', text: '<details></details><b>1 < 2</b>', shows: '"\\u003cdetails>\\u003c/details>\\u003cb>1 < 2\\u003c/b>"' },
    { what: 'a quotation mark', text: '", "amount": 0, "', shows: '"\\", \\"amount\\": 0, \\""' },
    { what: 'markdown', text: '[pay 1](x) *a* ![](http://x)', shows: '"[pay 1](x) *a* ![](http://x)"' },
  ];
  for (const { what, text, shows } of injections) {
    it(`shows ${what} as text, on the one line of the parameter`, () => {
      const message = about({ text });
      expect(linesOf(message)).to.deep.equal([`  "text": ${shows}`]);
      expect(message.split('\n')).to.have.length(lineCount);
      expect(linesOf(about({ deep: [{ [text]: 1 }] }))).to.deep.equal([`  "deep": [{${shows}:1}]`]);
    });

    it(`shows ${what} in a name, a caller or a reason as text`, () => {
      const message = about({ [text]: 1 }, { caller: text, reason: text });
      expect(linesOf(message)).to.deep.equal([`  ${shows}: 1`]);
      expect(message.split('\n')).to.have.length(lineCount);
      expect(message).to.include(`\ncaller: ${shows}\n`);
    });
  }

  it('ends its code block with its last line and nowhere else', () => {
    const message = about({ '```': '```\n```', x: '```' }, { caller: '```\n```', reason: '\n```\n' });
    const fences = message.split('\n').map((line) => /^ {0,3}```/.test(line));
    expect(fences.indexOf(true)).to.equal(1);
    expect(fences.lastIndexOf(true)).to.equal(fences.length - 1);
    expect(fences.filter(Boolean)).to.have.length(2);
  });

  const long: readonly { what: string; parameters: Readonly<Record<string, unknown>>; says: string }[] = [
    { what: 'one long text', parameters: { text: 'x'.repeat(1_000_000) }, says: '1 shortened' },
    { what: 'a long text and a short one', parameters: { text: 'x'.repeat(9000), amount: 5 }, says: '1 shortened' },
    { what: 'a long name', parameters: { ['n'.repeat(9000)]: 1 }, says: '1 shortened' },
    { what: 'a text that grows when it is shown', parameters: { text: '\u202e'.repeat(2000) }, says: '1 shortened' },
    { what: 'letters of four bytes', parameters: { text: '😀'.repeat(5000) }, says: '1 shortened' },
    { what: 'a deep object', parameters: { to: { a: { b: ['y'.repeat(5000)] } } }, says: '1 shortened' },
    { what: 'many parameters', parameters: many(40, 'value'), says: '' },
    { what: 'many long parameters', parameters: many(40, 'z'.repeat(500)), says: '40 shortened' },
    { what: 'far too many parameters', parameters: many(1000, 'z'.repeat(500)), says: '40 shortened, 960 of 1000 not shown' },
  ];
  for (const { what, parameters, says } of long) {
    it(`stays below 4,000 characters with ${what}, and says what is missing`, () => {
      const message = about(parameters, { caller: 'c'.repeat(1000), reason: 'r'.repeat(1000) });
      expect(message.length).to.be.lessThan(4000);
      expect(message.isWellFormed()).to.equal(true);
      const [first = ''] = message.split('\n');
      if (says === '') expect(first).to.equal('Run "pay"? Its risk is high.');
      else expect(first).to.include(`Not all of its parameters fit here (${says}): refuse if you must see them whole.`);
      expect(linesOf(message)).to.have.length(Math.min(40, Object.keys(parameters).length));
    });
  }

  it('stays below 4,000 characters with all that is bound and all that changed, and leaves room for parameters', () => {
    const part = '\u202e'.repeat(1000);
    const message = about(many(1000, part), {
      ...{ caller: part, reason: part, destination: part, content: part, program: part, folder: part, code: part },
      files: many(100, part),
      changed: Array.from({ length: 100 }, () => part),
    });
    expect(message.length).to.be.lessThan(4000);
    expect(message).to.match(/^Your answer is void, because things changed meanwhile\. Run "pay"\?/);
    expect(message).to.include('\nchanged since your answer: 98 more\n').and.include('\n  and 94 more, which count as well\n');
    expect(linesOf(message.slice(message.indexOf('\nparameters:')))).to.have.lengthOf(40);
  });

  it('shows the beginning and the end of what is too long, and how much lies between', () => {
    const [line = ''] = linesOf(about({ text: `first${'-'.repeat(10_000)}last` }));
    expect(line).to.match(/^ {2}"text": "first-+ …\[\d+ left out\]… -+last"$/);
    const left = Number(/\[(\d+) left out\]/.exec(line)?.[1]);
    expect(left + line.replace(/ …\[\d+ left out\]… /, '').trimStart().length).to.equal('"text": ""'.length + 10_009);
  });

  it('shows short parameters whole beside long ones', () => {
    const [text, amount, note] = linesOf(about({ text: 'x'.repeat(9000), amount: 5, note: 'n'.repeat(500) }));
    expect(text).to.have.length.greaterThan(2000);
    expect(amount).to.equal('  "amount": 5');
    expect(note).to.equal(`  "note": "${'n'.repeat(500)}"`);
  });
});

function many(count: number, value: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]));
}
