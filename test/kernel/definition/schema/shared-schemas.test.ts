import { expect } from 'chai';
import type { ProviderDefinition } from '../../../../kernel/definition/schema/provider-definition.ts';
import { hashOfDefinition, withSharedSchemas } from '../../../../kernel/definition/schema/shared-schemas.ts';
import type { ToolDefinition } from '../../../../kernel/definition/schema/tool-definition.ts';

const shelf = { type: 'object', properties: { box: { $ref: '#/$defs/box' } } };

function providerWith($defs: Record<string, unknown>): ProviderDefinition {
  return { provider: { name: 'shop' }, $defs } as ProviderDefinition;
}

function toolWith(input: Record<string, unknown>, output?: Record<string, unknown>): ToolDefinition {
  return {
    name: 'shop_count',
    description: 'Counts.',
    input_schema: { type: 'object', ...input },
    ...(output === undefined ? {} : { output_schema: output }),
    execution: { type: 'http' },
  };
}

const ofShelf = toolWith({ properties: { shelf: { $ref: '#/$defs/shelf' } } });
const provider = providerWith({ shelf, box: { type: 'string' }, other: { type: 'null' } });

describe('shared schemas of a provider', () => {
  it('are added with those to which they refer', () => {
    const { input_schema: input } = withSharedSchemas(ofShelf, provider);
    expect(input?.['$defs']).to.deep.equal({ shelf, box: { type: 'string' } });
  });

  it('are the same objects for all tools', () => {
    const first = withSharedSchemas(ofShelf, provider).input_schema?.['$defs'] as Record<string, unknown>;
    const second = withSharedSchemas(toolWith({}, { $ref: '#/$defs/shelf' }), provider).output_schema?.['$defs'];
    expect(second).to.equal(first);
    expect(first['shelf']).to.equal(shelf);
  });

  it('give way to entries of the tool, also where they refer to them', () => {
    const tool = toolWith({ properties: { shelf: { $ref: '#/$defs/shelf' } }, $defs: { box: { type: 'integer' } } });
    expect(withSharedSchemas(tool, provider).input_schema?.['$defs']).to.deep.equal({ box: { type: 'integer' }, shelf });
  });

  it('may refer to each other in a circle, and be named like members of every object', () => {
    const $defs = JSON.parse('{"__proto__":{"$ref":"#/$defs/constructor"},"constructor":{"$ref":"#/$defs/__proto__"}}') as Record<
      string,
      unknown
    >;
    const { output_schema: output } = withSharedSchemas(toolWith({}, { $ref: '#/$defs/constructor' }), providerWith($defs));
    expect(Object.keys(output?.['$defs'] as object)).to.have.members(['__proto__', 'constructor']);
  });
});

describe('the hash of a definition with shared schemas', () => {
  const hash = ($defs: Record<string, unknown>, isOrdered = true): string => hashOfDefinition(ofShelf, providerWith($defs), isOrdered);
  const before = hash({ shelf, box: { type: 'string' } });

  it('changes with a schema that it reaches through others', () => {
    expect(hash({ shelf, box: { type: 'integer' } })).to.not.equal(before);
  });

  it('changes when a schema that it reaches comes or goes', () => {
    expect(hash({ shelf })).to.not.equal(before);
  });

  it('changes when two schemas change their names', () => {
    const tool = toolWith({ properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/b' } } });
    const hashOf = ($defs: Record<string, unknown>): string => hashOfDefinition(tool, providerWith($defs), true);
    expect(hashOf({ a: { type: 'string' }, b: { type: 'null' } })).to.not.equal(hashOf({ a: { type: 'null' }, b: { type: 'string' } }));
  });

  it('stays when a schema changes that it does not reach', () => {
    expect(hash({ shelf, box: { type: 'string' }, other: { type: 'null' } })).to.equal(before);
  });

  it('tells the input from the output', () => {
    const input = toolWith({ properties: { shelf: { $ref: '#/$defs/shelf' } } }, {});
    const output = toolWith({ properties: { shelf: {} } }, { $ref: '#/$defs/shelf' });
    expect(hashOfDefinition(input, provider, true)).to.not.equal(hashOfDefinition(output, provider, true));
  });
});
