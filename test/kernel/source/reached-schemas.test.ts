import { expect } from 'chai';
import { ReachedSchemas, type SharedSchemas } from '../../../kernel/source/reached-schemas.ts';

/** A ring of schemas, in which each leads to all. */
const ring: SharedSchemas = Object.fromEntries(
  Array.from({ length: 1500 }, (_, index) => [`d${index}`, { items: { $ref: `#/$defs/d${(index + 1) % 1500}` } }]),
);

/** Returns the digest of a tool that reaches the ring, as one of `count` such tools. */
function digestAmong(count: number, shared: SharedSchemas): string | undefined {
  const reached = new ReachedSchemas(shared);
  const digests = Array.from({ length: count }, (_, index) => reached.add({ input_schema: { $ref: `#/$defs/d${index % 1500}` } }));
  return digests[0]?.();
}

describe('the digest of the shared schemas that a tool reaches', () => {
  it('leaves out those that it does not reach', () => {
    expect(digestAmong(10, ring)).to.equal(digestAmong(10, { ...ring, spare: { type: 'string' } }));
  });

  it('covers all of them where linking may give a tool all, because they are too many together', () => {
    expect(digestAmong(700, ring)).to.not.equal(digestAmong(700, { ...ring, spare: { type: 'string' } }));
  });

  it('is the same whatever the order of the schemas and of their members', () => {
    const one = { a: { type: 'object', items: { $ref: '#/$defs/b' } }, b: { type: 'string', title: 'B' } };
    const other = { b: { title: 'B', type: 'string' }, a: { items: { $ref: '#/$defs/b' }, type: 'object' } };
    const digestOf = (shared: SharedSchemas): string | undefined => new ReachedSchemas(shared).add({ $ref: '#/$defs/a' })();
    expect(digestOf(one)).to.equal(digestOf(other));
  });

  for (const name of ['__proto__', 'constructor', 'toString'])
    it(`takes "${name}" for a name like others`, () => {
      const shared = (title: string): SharedSchemas => JSON.parse(`{ "${name}": { "title": "${title}" } }`) as SharedSchemas;
      const digestOf = (given: SharedSchemas): string | undefined => new ReachedSchemas(given).add({ $ref: `#/$defs/${name}` })();
      expect(digestOf(shared('one'))).to.be.a('string');
      expect(digestOf(shared('one'))).to.not.equal(digestOf(shared('two')));
      expect(digestOf({})).to.equal(undefined);
    });
});
