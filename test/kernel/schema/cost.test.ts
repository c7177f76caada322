import { expect } from 'chai';
import { checkValue, textExcess, toJsonValue, valueExcess } from '../../../kernel/index.ts';
import { findIssues } from '../../../kernel/schema/check-value.ts';
import { NameIndex } from '../../../kernel/schema/name-index.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';

const padding = 'x'.repeat(256 * 1024);

/** An object with so many members. */
function members(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('what a value may hold', () => {
  const tooManyMembers = 'more than 100000 members of objects';
  const tooManyItems = 'more than 500000 items of lists';
  const tooMuch = 'more than 120000 members of objects, five items of lists counted as one';
  const tooDeep = 'something nested deeper than 64 levels';
  const cases: readonly { title: string; value: unknown; excess: string | undefined }[] = [
    { title: '100,000 members', value: members(100_000), excess: undefined },
    { title: '100,001 members', value: members(100_001), excess: tooManyMembers },
    { title: '499,999 items', value: new Array(499_999).fill(0), excess: undefined },
    { title: '500,001 items', value: new Array(500_001).fill(0), excess: tooManyItems },
    { title: '250,001 empty lists in a list', value: new Array(250_001).fill([]), excess: tooManyItems },
    { title: '250,001 empty objects in a list', value: new Array(250_001).fill({}), excess: tooManyItems },
    { title: '99,999 members and 100,000 items', value: { ...members(99_998), list: new Array(100_000).fill(0) }, excess: undefined },
    { title: '99,999 members and 101,000 items', value: { ...members(99_998), list: new Array(101_000).fill(0) }, excess: tooMuch },
    { title: '64 levels', value: nested(64), excess: undefined },
    { title: '65 levels', value: nested(65), excess: tooDeep },
    { title: 'brackets and commas in texts', value: ['{[,'.repeat(200_000), '"\\"'.repeat(70_000), '\\'], excess: undefined },
  ];
  for (const { title, value, excess } of cases) {
    it(`is counted alike in a value and in its JSON: ${title}`, () => {
      expect(valueExcess(value)).to.equal(excess);
      // The list around it is a level of its own.
      const levels = excess === tooDeep || title === '64 levels' ? value : [value];
      const json = excess === undefined && title !== '100,000 members' ? JSON.stringify(levels) : JSON.stringify(value);
      expect(textExcess(Buffer.from(`${json}${' '.repeat(padding.length)}`))).to.equal(excess);
    });
  }

  it('is not looked at in JSON of up to 256 KiB', () => {
    expect(textExcess(Buffer.from('['.repeat(256 * 1024)))).to.equal(undefined);
    expect(textExcess(Buffer.from('['.repeat(256 * 1024 + 1)))).to.equal(tooDeep);
  });

  it('is counted no further than the limit', () => {
    const looked = new Set<unknown>();
    const get = (list: unknown[], key: string | symbol): unknown => Reflect.get(looked.add(list) && list, key);
    const many = Array.from({ length: 2000 }, () => new Proxy(new Array(1000).fill(0), { get }));
    expect(valueExcess(many)).to.equal(tooManyItems);
    expect(looked.size).to.be.at.most(501);
  });
});

describe('the findings of one check', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false };

  it('are at most twenty, of unknown names as well, the first of them with a likeness', () => {
    const issues = checkValue(schema, { nmae: 1, ...members(50_000) });
    expect(issues).to.have.length(20);
    expect(issues[0]?.message).to.equal('is not known here. Did you mean "name"?');
    expect(issues[19]).to.include({ path: 'k18', message: 'is not known here. Expected name.' });
  });

  it('are looked for in a part of a large value, and are told with their places', () => {
    const list = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'string' }, minItems: 3000 }, mode: { type: 'string' } },
    };
    const issues = checkValue(list, { list: new Array(90_000).fill(1), mode: 2 });
    expect(issues).to.have.length(20);
    expect(issues.map(({ path }) => path))
      .to.include('list[0]')
      .and.not.include('list');
    const wide = checkValue(list, { list: new Array(90_000).fill('x'), mode: 2 });
    expect(wide.map(({ path, message }) => `${path} ${message}`)).to.deep.equal(['mode expected string, received number 2']);
  });

  it('are one where what is wrong stands behind the part that is looked at', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const [issue, ...others] = checkValue(list, [...new Array(90_000).fill('x'), 1]);
    expect(issue?.message).to.include('does not fit, somewhere after the first entries');
    expect(others).to.deep.equal([]);
  });

  it('compare the items of a list of a thousand, not of all, which would take the square of their number', () => {
    const { issues, isWhole } = findIssues({ type: 'array', uniqueItems: true }, new Array(50_000).fill('x'), 20);
    expect(issues).to.have.length(1);
    expect(isWhole).to.equal(false);
  });

  it('say whether there are others', () => {
    expect(findIssues(schema, members(3), 5)).to.have.property('isWhole', true);
    expect(findIssues(schema, members(6), 5)).to.have.property('isWhole', false);
  });
});

describe('the nearest of ten thousand names', () => {
  const words = ['order', 'invoice', 'customer', 'ticket', 'page', 'report', 'refund', 'contract'];
  const verbs = ['get', 'list', 'create', 'update', 'delete'];
  const names = Array.from({ length: 10_000 }, (_, n) => `${words[n % 8]}_${verbs[(n >> 3) % 5]}_${words[(n >> 6) % 8]}_${n}`);
  const index = new NameIndex(names);
  const cases = [
    { asked: 'order_get_invoice_8', found: 'order_get_invoice_80' },
    { asked: 'ordr_gte_invoyce_80', found: 'order_get_invoice_80' },
    { asked: 'CUSTOMER_LIST_REPORT_33O', found: 'customer_list_report_330' },
  ];
  for (const { asked, found } of cases) it(`is found for ${asked}`, () => expect(index.nearest(asked)[0]).to.equal(found));

  it('is none for a name that resembles none, or that is very long', () => {
    expect(index.nearest('zzzzzzzzzz')).to.deep.equal([]);
    expect(index.nearest('order_get_invoice_'.repeat(20))).to.deep.equal([]);
  });

  it('is found among those that may be known, of which some hundreds are looked at', () => {
    let looked = 0;
    expect(index.nearest('order_get_invoice_80', (name) => ++looked > 0 && name !== 'order_get_invoice_80')).to.not.include(
      'order_get_invoice_80',
    );
    expect(looked).to.be.at.most(251);
    expect(index.nearest('order_get_invoice_80', (name) => name.startsWith('zebra'))).to.deep.equal([]);
  });

  it('is looked for among five thousand where none may be known', () => {
    let looked = 0;
    expect(index.nearest('order_get_invoice_80', () => ++looked < 0)).to.deep.equal([]);
    expect(looked).to.equal(5000);
  });

  it('is found where one in a hundred may be known', () => {
    const isKnown = (name: string): boolean => name.endsWith('00');
    expect(index.nearest('ordr_get_order_500', isKnown)[0]).to.match(/00$/);
  });
});

describe('a call that holds too much, or nothing that can be taken,', () => {
  const open = echoTool({ parameters: { text: { type: 'string' }, list: { type: 'array' } } });

  const refused = [
    { what: '300,000 unknown names', parameters: members(300_000), says: '300000 names, of which the tool takes 2' },
    { what: 'a list of 500,001 items', parameters: { list: new Array(500_001).fill(0) }, says: 'more than 500000 items' },
    { what: 'a list 100 deep', parameters: { list: nested(100) }, says: 'something nested deeper than 64 levels' },
  ];
  for (const { what, parameters, says } of refused) {
    it(`is refused before anything is done with it: ${what}`, async () => {
      const kernel = await testKernel({ tools: [open] });
      const error = await rejection(kernel.call({ tool: 'echo', parameters }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }

  for (const { what, parameters } of [
    { what: 'array of 1', parameters: ['a'] },
    { what: 'string "a"', parameters: 'a' },
    { what: 'number 3', parameters: 3 },
  ])
    it(`is refused for a model where its parameters are none: ${what}`, async () => {
      const kernel = await testKernel({ tools: [open] });
      const call = kernel.call({ tool: 'echo', parameters: parameters as never, origin: 'model' });
      const error = await rejection(call, 'INVALID_PARAMETERS');
      expect(error.message).to.equal(`The parameters of "echo" are wrong: expected an object, received ${what}.`);
    });

  for (const origin of ['model', 'host'] as const)
    it(`has no parameters where they are null, for a ${origin}`, async () => {
      const kernel = await testKernel({ tools: [open] });
      expect((await kernel.call({ tool: 'echo', parameters: null as never, origin })).output).to.deep.equal({});
    });

  it('is told twenty of its findings, and that there may be more', async () => {
    const kernel = await testKernel({ tools: [open] });
    const error = await rejection(kernel.call({ tool: 'echo', parameters: members(900) }), 'INVALID_PARAMETERS');
    expect(error.details.issues).to.have.length(20);
    expect(error.message).to.match(/; there may be more\.$/);
  });

  const outputs = {
    'a million members': () => Array.from({ length: 500_000 }, (_, n) => ({ n })),
    'a list of 500,001 numbers': () => new Array(500_001).fill(0),
    'a value 100 deep': () => nested(100),
    'texts of 34 million characters': () => new Array(34).fill('x'.repeat(1_000_000)),
  };
  for (const [what, handler] of Object.entries(outputs)) {
    it(`fails for a model with an answer of ${what}, and is whole for a host`, async () => {
      const kernel = await testKernel({ tools: [echoTool({ execution: { type: 'function', handler } })] });
      await rejection(kernel.call({ tool: 'echo', origin: 'model' }), 'OUTPUT_TOO_LARGE');
      expect((await kernel.call({ tool: 'echo' })).output).to.have.length(Number((handler() as unknown[]).length));
    });
  }
});

describe('a value as JSON', () => {
  it('keeps a member named __proto__ as a member', () => {
    const value = toJsonValue(JSON.parse('{"__proto__":{"a":1}}')) as object;
    expect(JSON.stringify(value)).to.equal('{"__proto__":{"a":1}}');
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
  });
});
