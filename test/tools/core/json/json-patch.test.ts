import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('json_patch', () => {
  const shared = sharedToolkit();

  async function apply(document: unknown, ...patch: readonly object[]): Promise<unknown> {
    return ((await shared.toolkit.execute('json_patch', { document, patch })) as { result: unknown }).result;
  }

  interface Case {
    readonly what: string;
    readonly document: unknown;
    readonly patch: readonly object[];
    readonly result: unknown;
  }
  /** The first ones as in RFC 6902, appendix A. */
  const cases: readonly Case[] = [
    {
      what: 'adds a member',
      document: { foo: 'bar' },
      patch: [{ op: 'add', path: '/baz', value: 'qux' }],
      result: { baz: 'qux', foo: 'bar' },
    },
    {
      what: 'inserts into a list',
      document: { foo: ['bar', 'baz'] },
      patch: [{ op: 'add', path: '/foo/1', value: 'qux' }],
      result: { foo: ['bar', 'qux', 'baz'] },
    },
    { what: 'removes a member', document: { baz: 'qux', foo: 'bar' }, patch: [{ op: 'remove', path: '/baz' }], result: { foo: 'bar' } },
    {
      what: 'removes an item',
      document: { foo: ['bar', 'qux', 'baz'] },
      patch: [{ op: 'remove', path: '/foo/1' }],
      result: { foo: ['bar', 'baz'] },
    },
    {
      what: 'replaces a value',
      document: { baz: 'qux', foo: 'bar' },
      patch: [{ op: 'replace', path: '/baz', value: 'boo' }],
      result: { baz: 'boo', foo: 'bar' },
    },
    {
      what: 'moves a value',
      document: { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      patch: [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      result: { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    },
    {
      what: 'moves an item',
      document: { foo: ['all', 'grass', 'cows', 'eat'] },
      patch: [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      result: { foo: ['all', 'cows', 'eat', 'grass'] },
    },
    {
      what: 'tests values',
      document: { baz: 'qux', foo: ['a', 2, 'c'] },
      patch: [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      result: { baz: 'qux', foo: ['a', 2, 'c'] },
    },
    {
      what: 'adds a nested object',
      document: { foo: 'bar' },
      patch: [{ op: 'add', path: '/child', value: { grandchild: {} } }],
      result: { foo: 'bar', child: { grandchild: {} } },
    },
    {
      what: 'ignores members that it does not know',
      document: { foo: 'bar' },
      patch: [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
      result: { foo: 'bar', baz: 'qux' },
    },
    {
      what: 'reads ~01 as ~1',
      document: { '/': 9, '~1': 10 },
      patch: [{ op: 'test', path: '/~01', value: 10 }],
      result: { '/': 9, '~1': 10 },
    },
    { what: 'reads ~1 as a slash', document: { 'a/b': 1 }, patch: [{ op: 'replace', path: '/a~1b', value: 2 }], result: { 'a/b': 2 } },
    {
      what: 'adds a list as one item',
      document: { foo: ['bar'] },
      patch: [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      result: { foo: ['bar', ['abc', 'def']] },
    },
    {
      what: 'replaces the whole document',
      document: { a: 1 },
      patch: [
        { op: 'replace', path: '', value: [1] },
        { op: 'add', path: '/-', value: 2 },
      ],
      result: [1, 2],
    },
    { what: 'adds over a member', document: { a: 1 }, patch: [{ op: 'add', path: '/a', value: null }], result: { a: null } },
    { what: 'adds at the end by index', document: [1], patch: [{ op: 'add', path: '/1', value: 2 }], result: [1, 2] },
    {
      what: 'takes digits for a name in an object',
      document: { 0: 'a' },
      patch: [
        { op: 'add', path: '/01', value: 'b' },
        { op: 'remove', path: '/0' },
      ],
      result: { '01': 'b' },
    },
    {
      what: 'takes the empty name and names beyond ASCII',
      document: { '': { 名: 1 } },
      patch: [{ op: 'replace', path: '//名', value: 'Grüße' }],
      result: { '': { 名: 'Grüße' } },
    },
    {
      what: 'copies, and changes the copy alone',
      document: { a: { b: [] } },
      patch: [
        { op: 'copy', from: '/a', path: '/c' },
        { op: 'add', path: '/c/b/-', value: 1 },
      ],
      result: { a: { b: [] }, c: { b: [1] } },
    },
    { what: 'moves a value to where it is', document: { a: [1] }, patch: [{ op: 'move', from: '/a', path: '/a' }], result: { a: [1] } },
    { what: 'moves a part over the whole', document: { a: { b: 1 } }, patch: [{ op: 'move', from: '/a', path: '' }], result: { b: 1 } },
    {
      what: 'tests without regard to the order of names',
      document: { a: { b: 1, c: [1.0] } },
      patch: [{ op: 'test', path: '', value: { a: { c: [1], b: 1 } } }],
      result: { a: { b: 1, c: [1] } },
    },
    { what: 'tests for null', document: { a: null }, patch: [{ op: 'test', path: '/a', value: null }], result: { a: null } },
    { what: 'does nothing without operations', document: 'text', patch: [], result: 'text' },
  ];
  for (const { what, document, patch, result } of cases) {
    it(what, async () => {
      expect(await apply(document, ...patch)).to.deep.equal(result);
    });
  }

  const misfits: readonly { readonly document: unknown; readonly operation: object; readonly says: string }[] = [
    { document: { baz: 'qux' }, operation: { op: 'test', path: '/baz', value: 'bar' }, says: 'expected string "bar", found string "qux"' },
    { document: { a: 1 }, operation: { op: 'test', path: '/a', value: '1' }, says: 'expected string "1", found number 1' },
    { document: { a: 1 }, operation: { op: 'test', path: '/b', value: 1 }, says: 'there is no "b" in the object there' },
    { document: { foo: 'bar' }, operation: { op: 'add', path: '/baz/bat', value: 'qux' }, says: 'there is no "baz" in the object there' },
    { document: { foo: 'bar' }, operation: { op: 'add', path: '/foo/bat', value: 'qux' }, says: 'there is no "bat" in string "bar"' },
    { document: [1, 2], operation: { op: 'add', path: '/3', value: 1 }, says: 'expected 0 to 2, or "-" for its end' },
    { document: [1, 2], operation: { op: 'add', path: '/01', value: 1 }, says: '"01" is no place in a list of 2' },
    { document: [1, 2], operation: { op: 'add', path: '/-1', value: 1 }, says: '"-1" is no place' },
    { document: [1, 2], operation: { op: 'add', path: '/1e0', value: 1 }, says: '"1e0" is no place' },
    { document: [1, 2], operation: { op: 'add', path: '/length', value: 1 }, says: '"length" is no place' },
    { document: [1, 2], operation: { op: 'remove', path: '/-' }, says: 'there is no "-" in a list of 2' },
    { document: [1, 2], operation: { op: 'replace', path: '/2', value: 1 }, says: 'there is no "2" in a list of 2' },
    { document: {}, operation: { op: 'remove', path: '/toString' }, says: 'there is no "toString"' },
    { document: {}, operation: { op: 'replace', path: '/__proto__', value: {} }, says: 'there is no "__proto__"' },
    { document: {}, operation: { op: 'add', path: '/__proto__/polluted', value: 1 }, says: 'there is no "__proto__"' },
    { document: {}, operation: { op: 'add', path: '/constructor/prototype/polluted', value: 1 }, says: 'there is no "constructor"' },
    { document: { a: 1 }, operation: { op: 'remove', path: '' }, says: 'the whole document cannot be removed' },
    { document: { a: {} }, operation: { op: 'move', from: '/a', path: '/a/b' }, says: 'cannot be moved into itself' },
    { document: { a: 1 }, operation: { op: 'move', from: '/b', path: '/c' }, says: 'there is no "b"' },
    { document: { a: 1 }, operation: { op: 'copy', from: '/b', path: '/c' }, says: 'there is no "b"' },
  ];
  for (const { document, operation, says } of misfits) {
    it(`refuses all of a patch of which ${JSON.stringify(operation)} does not fit ${JSON.stringify(document)}`, async () => {
      const error = await rejection(apply(document, { op: 'test', path: '', value: document }, operation), 'EXECUTION_FAILED');
      expect(error.message).to.include(says).and.to.include('Operation 1 of the patch').and.to.include('Nothing was changed');
      expect(error.details).to.include({ operation: 1 });
    });
  }

  const malformed: readonly { readonly operation: object; readonly path: string; readonly says: string }[] = [
    { operation: { op: 'add', path: '/a' }, path: 'patch[0].value', says: 'is required for "add"' },
    { operation: { op: 'test', path: '/a' }, path: 'patch[0].value', says: 'is required for "test"' },
    { operation: { op: 'copy', path: '/a' }, path: 'patch[0].from', says: 'is required for "copy"' },
    { operation: { op: 'add', path: 'a', value: 1 }, path: 'patch[0].path', says: 'expected "/", received "a" at character 1' },
    { operation: { op: 'add', path: '/a~2', value: 1 }, path: 'patch[0].path', says: 'expected "~0" or "~1"' },
    { operation: { op: 'add', value: 1 }, path: 'patch[0].path', says: 'is required' },
    { operation: { op: 'spam', path: '/a' }, path: 'patch[0].op', says: 'expected one of "add"' },
  ];
  for (const { operation, path, says } of malformed) {
    it(`refuses the operation ${JSON.stringify(operation)}`, async () => {
      const error = await rejection(apply({ a: 1 }, operation), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details.issues?.[0]).to.include({ path });
    });
  }

  it('keeps names such as __proto__ as data', async () => {
    const document = JSON.parse('{"a": {"polluted": 1}, "__proto__": {"b": 1}}') as object;
    const patched = await apply(
      document,
      { op: 'copy', from: '/a', path: '/constructor' },
      { op: 'move', from: '/a', path: '/__proto__/c' },
      { op: 'add', path: '/prototype', value: JSON.parse('{"__proto__": 2}') as object },
    );
    expect(JSON.stringify(patched)).to.equal(
      '{"__proto__":{"b":1,"c":{"polluted":1}},"constructor":{"polluted":1},"prototype":{"__proto__":2}}',
    );
  });

  it('adds and replaces a name such as __proto__ as data', async () => {
    const value = { polluted: 1 };
    expect(JSON.stringify(await apply({}, { op: 'add', path: '/__proto__', value }))).to.equal('{"__proto__":{"polluted":1}}');
    const document = JSON.parse('{"__proto__": 1}') as object;
    expect(JSON.stringify(await apply(document, { op: 'replace', path: '/__proto__', value }))).to.equal('{"__proto__":{"polluted":1}}');
  });

  it('refuses a patch that doubles the document again and again', async () => {
    const copies = Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '', path: `/${index}` }));
    await rejection(apply({ a: 'x'.repeat(100) }, ...copies), 'OUTPUT_TOO_LARGE');
  });

  it('refuses a patch that nests the document deeper and deeper', async () => {
    const deeper = Array.from({ length: 12 }, (_, index) => ({ op: 'copy', from: '', path: '/a'.repeat(2 ** index) }));
    await rejection(apply({ a: {} }, ...deeper), 'INVALID_PARAMETERS');
  });
});
