import { expect } from 'chai';
import Type from 'typebox';
import { DefinitionKeys } from '../../../../kernel/definition/check/keys.ts';

const Cache = Type.Object({ ttl_ms: Type.Integer() });

function keysOf(): DefinitionKeys {
  const keys = new DefinitionKeys();
  keys.reserve('cache', {});
  keys.reserve('rate_limit', { on: 'both' });
  keys.define('cache', Cache, {});
  return keys;
}

describe('the definition keys of a kernel', () => {
  it('give kernels with the same plugins one schema, which is compiled once', () => {
    const [one, other] = [keysOf(), keysOf()];
    expect(one.toolSchema).to.equal(other.toolSchema);
    expect(one.providerSchema).to.equal(other.providerSchema);
    expect(one.toolSchema).to.not.equal(new DefinitionKeys().toolSchema);
  });

  it('are described by the schema of the plugin that defines them, once it is there', () => {
    expect(keysOf().toolSchema.properties['cache']).to.include({ type: 'object' });
  });
});
