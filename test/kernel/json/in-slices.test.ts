import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { toJsonValue } from '../../../kernel/index.ts';
import { freezeInSlices, inSlices, jsonInSlices } from '../../../kernel/json/in-slices.ts';
import { isLarge } from '../../../kernel/json/json.ts';
import { rejection } from '../../support/rejection.ts';

const names = (count: number): Record<string, unknown> => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

const hidden = (): object => JSON.parse('{"__proto__":{"a":1},"b":2}') as object;

const values: Readonly<Record<string, unknown>> = {
  'a list of numbers': Array.from({ length: 20_000 }, (_, n) => n),
  'a list with holes and nothing': Object.assign(new Array<unknown>(10_000), { 0: undefined, 9000: 'x' }),
  'an object of many names': names(20_000),
  'an object with members that are not there': { ...names(10_000), left: undefined, date: new Date(0) },
  'large values in small ones': { a: [{ b: names(9000) }, 'x'], c: [[names(9000)], names(9000)] },
  'a long text between others': ['a', 'b'.repeat(400_000), { c: 'd'.repeat(400_000) }],
  'members named __proto__': [...Array.from({ length: 9000 }, hidden), { ['__proto__']: names(9000) }],
  'many lists in a list': Array.from({ length: 9000 }, (_, n) => [n, [n]]),
};

describe('a large value', () => {
  for (const [what, value] of Object.entries(values)) {
    it(`becomes in slices the JSON that it becomes at once: ${what}`, async () => {
      expect(isLarge(value)).to.equal(true);
      const made = await jsonInSlices(value);
      expect(JSON.stringify(made)).to.equal(JSON.stringify(toJsonValue(value)));
    });

    it(`is itself where no part of it becomes another: ${what}`, async () => {
      expect(await inSlices(value, (part) => part)).to.equal(value);
    });

    it(`is frozen in depth, and given back: ${what}`, async () => {
      const json = await jsonInSlices(value);
      expect(await freezeInSlices(json)).to.equal(json);
      const isFrozen = (part: unknown): boolean =>
        typeof part !== 'object' || part === null || (Object.isFrozen(part) && Object.values(part).every(isFrozen));
      expect(isFrozen(json)).to.equal(true);
    });
  }

  it('lets other work go on in between', async () => {
    let turns = 0;
    let isOver = false;
    const value = Array.from({ length: 60 }, () => names(4000));
    const working = Promise.resolve(jsonInSlices(value)).then(() => {
      isOver = true;
    });
    while (!isOver) {
      await setImmediate();
      turns++;
    }
    await working;
    expect(turns).to.be.above(3);
  });

  it('says where a part is that is no JSON', async () => {
    const value = { list: [...Array.from({ length: 9000 }, (_, n) => n), { a: 1n }] };
    const error = await rejection(Promise.resolve(jsonInSlices(value)), 'OUTPUT_INVALID');
    expect(error.message).to.include('"list[9000].a"');
  });

  it('is refused where it holds itself', async () => {
    const value: Record<string, unknown> = names(9000);
    value['again'] = { value };
    const error = await rejection(Promise.resolve(jsonInSlices(value)), 'OUTPUT_INVALID');
    expect(error.message).to.include('a circular reference');
  });

  it('is one of more than 4096 members, of long texts, or nested deeper than it may be', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    const large = [names(4096), ['x'.repeat(300_000)], nested(65), [[names(4000)], names(100)]];
    const small = [names(4000), ['x'.repeat(200_000)], nested(64), 'x', null, undefined, Buffer.alloc(1_000_000), new Date()];
    expect(large.map(isLarge)).to.deep.equal(large.map(() => true));
    expect(small.map(isLarge)).to.deep.equal(small.map(() => false));
  });
});

describe('a small value', () => {
  it('is worked on at once', () => {
    expect(inSlices({ a: [1] }, (part) => part)).to.deep.equal({ a: [1] });
    expect(jsonInSlices({ a: undefined, b: 1 })).to.deep.equal({ b: 1 });
    expect(freezeInSlices([1])).to.satisfy(Object.isFrozen);
  });
});
