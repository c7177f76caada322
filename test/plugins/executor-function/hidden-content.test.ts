import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { suiteKernel } from './function-kernel.ts';

/** Values as source text, so that each kind of worker makes them itself, and the words for what is refused in them. */
const refused = {
  map: { code: "new Map([['a', 1]])", received: 'a Map' },
  set: { code: 'new Set([1])', received: 'a Set' },
  error: { code: "new TypeError('boom')", received: 'a TypeError (Error)' },
  pattern: { code: '/x/g', received: 'a RegExp' },
  promise: { code: 'Promise.resolve(1)', received: 'a Promise' },
  date: { code: 'new Date(NaN)', received: 'an invalid Date' },
  weak: { code: 'new WeakMap()', received: 'a WeakMap' },
  bytes: { code: 'new ArrayBuffer(2)', received: 'an ArrayBuffer' },
  boxed: { code: 'new Number(NaN)', received: 'the number NaN' },
  query: { code: "new URLSearchParams('a=1')", received: 'an URLSearchParams' },
  iterator: { code: '[1].values()', received: 'an Array Iterator' },
  subclass: { code: '(class Basket extends Map {})', received: 'function' },
  basket: { code: 'new (class Basket extends Map { size2 = 1 })()', received: 'a Basket (Map)' },
} as const;

const written = {
  instance: { code: 'new (class A { x = 1; #y = 2; get z() { return 3; } })()', json: { x: 1 } },
  list: { code: 'new Uint8Array([7, 8])', json: { 0: 7, 1: 8 } },
  boxes: { code: "[new Number(1), new String('a'), new Boolean(false)]", json: [1, 'a', false] },
  own: { code: "Object.assign(new Map(), { toJSON: () => 'mine' })", json: 'mine' },
  symbols: { code: "{ [Symbol('a')]: 1, b: 2 }", json: { b: 2 } },
} as const;

const module = Object.entries({ ...refused, ...written })
  .map(([name, { code }]) => `export const ${name} = () => ({ list: [0, { m: ${code} }] });`)
  .join('\n');

const places = { process: {}, thread: { worker: true }, child: { worker: 'process' } } as const;

describe('a function that returns an object whose content JSON would lose', () => {
  // Without "npm test", the sources are compiled for processes and threads by the first test that needs them.
  const names = Object.keys({ ...refused, ...written });
  const suite = suiteKernel({
    files: { 'it.mjs': module },
    tools: Object.fromEntries(
      Object.entries(places).flatMap(([place, more]) => names.map((name) => [`${place}_${name}`, { code: `./it.mjs#${name}`, ...more }])),
    ),
  });

  for (const place of Object.keys(places)) {
    it(`fails with OUTPUT_INVALID and its place, in a ${place}`, async () => {
      for (const [name, { received }] of Object.entries(refused)) {
        const error = await rejection(suite.kernel.execute(`${place}_${name}`), 'OUTPUT_INVALID');
        const expected = `The output at "list[1].m" cannot be written as JSON: expected a JSON value, received ${received}. It was carried out; do not call it again.`;
        expect(error.message, name).to.equal(expected);
      }
    });

    it(`gives what has its content in its members, or writes itself, in a ${place}`, async () => {
      for (const [name, { json }] of Object.entries(written))
        expect(await suite.kernel.execute(`${place}_${name}`), name).to.deep.equal({ list: [0, { m: json }] });
    });
  }

  it('is refused as a parameter of host code, with its place', async () => {
    for (const value of [{ m: new Map() }, { m: new Date(Number.NaN) }, { m: [...Array(9000).fill({ a: 1 }), /x/] }]) {
      const error = await rejection(suite.kernel.execute('process_list', { value }), 'INVALID_PARAMETERS');
      expect(error.message).to.match(/value\.m(\[9000\])? expected a JSON value, received an? (Map|invalid Date|RegExp)/);
    }
  });
});
