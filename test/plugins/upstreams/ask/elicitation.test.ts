import { expect } from 'chai';
import { elicitation } from '../../../../plugins/upstreams/ask/elicitation.ts';

const form = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };

const ofMember = (member: unknown) => elicitation('srv', { message: 'Hi', requestedSchema: { type: 'object', properties: { a: member } } });

const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`member_${index}`, { type: 'string' }]));

describe('a question of a server', () => {
  const texts: readonly (readonly [title: string, message: unknown, shown: string])[] = [
    ['a plain one', 'Who are you?', 'The MCP server "srv" asks: Who are you?'],
    ['escapes of a terminal', '\u001b[2J\u001b]8;;https://evil.example\u0007ok', '\\u001b[2J\\u001b]8;;https://evil.example\\u0007ok'],
    ['a right-to-left override', 'pay \u202e001', 'pay \\u202e001'],
    ['a carriage return', 'harmless\rThe MCP server "bank" asks: PIN?', 'harmless\\u000dThe MCP server "bank" asks: PIN?'],
    [
      'a faked beginning on a line of its own',
      'ok\nThe MCP server "bank" asks: PIN?',
      'The MCP server "srv" asks:\n> ok\n> The MCP server "bank" asks: PIN?',
    ],
    ['a line separator of Unicode', 'ok\u2028The MCP server "bank" asks: PIN?', 'ok\\u2028The MCP server "bank" asks: PIN?'],
    ['no text', 42, 'The MCP server "srv" asks: '],
  ];
  for (const [title, message, shown] of texts)
    it(`is shown with the name of its server, and with nothing hidden: ${title}`, () => {
      const question = elicitation('srv', { message, requestedSchema: form });
      expect(question)
        .to.have.property('message')
        .that.matches(/^The MCP server "srv" asks:/)
        .and.includes(shown);
    });

  it('is shortened', () => {
    const question = elicitation('srv', { message: 'x'.repeat(1_000_000), requestedSchema: form });
    expect(question).to.have.property('message').with.lengthOf.below(4100);
  });

  const refused: readonly (readonly [title: string, params: Readonly<Record<string, unknown>>, reason: RegExp])[] = [
    ['a script as address', { mode: 'url', url: 'javascript:alert(1)', elicitationId: '1' }, /open an address/],
    ['a private address', { mode: 'url', url: 'http://169.254.169.254/', elicitationId: '1', requestedSchema: form }, /open an address/],
    ['an unknown mode', { mode: 'FORM', requestedSchema: form }, /open an address/],
    ['no schema', {}, /without a schema/],
    ['a list as schema', { requestedSchema: [] }, /without a schema/],
    ['1,000 members', { requestedSchema: { type: 'object', properties: members(1000) } }, /1000 values at once, and at most 100/],
    ['properties that are none', { requestedSchema: { type: 'object', properties: ['a'] } }, /no properties/],
    ['a hidden character in a name', { requestedSchema: { properties: { 'a\u202eb': { type: 'string' } } } }, /"a\\u202eb"/],
  ];
  for (const [title, params, reason] of refused)
    it(`is declined with a reason: ${title}`, () => {
      expect(elicitation('srv', { message: 'Hi', ...params })).to.match(reason);
    });

  const nested: Readonly<Record<string, unknown>> = {
    'an object': { type: 'object', properties: {} },
    'a reference': { $ref: '#' },
    'several types': { type: ['string', 'object'] },
    true: true,
    'a list of objects': { type: 'array', items: { type: 'object', oneOf: [{ type: 'object' }] } },
    'a list without items': { type: 'array' },
    'branches that are no choices': { type: 'string', anyOf: [{ pattern: '(a+)+$' }] },
    '10,000 choices': { type: 'string', enum: Array.from({ length: 10_000 }, (_, index) => String(index)) },
  };
  for (const [title, member] of Object.entries(nested))
    it(`is declined with a value that no form has: ${title}`, () => {
      expect(ofMember(member)).to.equal('it asks for "a", which is no value that a form can have');
    });

  it('loses keywords that MCP does not have, so that no pattern of a server is run', () => {
    const question = ofMember({ type: 'string', pattern: '(a+)+$', format: 'email', if: {}, maxLength: 9, description: 'x\u001b[0m' });
    expect(question)
      .to.have.nested.property('schema.properties.a')
      .that.deep.equals({
        ...{ type: 'string', format: 'email', maxLength: 9 },
        description: 'x\\u001b[0m',
      });
  });

  it('keeps the forms of choices that MCP has', () => {
    const choices = [{ const: 'r', title: 'Red' }];
    const list = { type: 'array', items: { anyOf: choices }, minItems: 1 };
    for (const member of [
      { type: 'string', oneOf: choices },
      list,
      { type: 'string', enum: ['r'], enumNames: ['Red'] },
      { type: 'boolean', default: true },
    ])
      expect(ofMember(member)).to.have.nested.property('schema.properties.a').that.deep.equals(member);
  });

  it('has members and required names of its own only', () => {
    const requestedSchema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__","toString"]}',
    );
    const question = elicitation('srv', { message: 'Hi', requestedSchema });
    expect(JSON.stringify(question)).to.include('"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]');
  });
});
