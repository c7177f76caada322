import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { expect } from 'chai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { before } from 'mocha';
import { checkValue, isPlainObject, type JsonSchema } from '../../kernel/index.ts';
import { callReadTool } from '../../plugins/shared/exposure/call-read-tool.ts';
import { estimatedTokens } from '../../plugins/shared/exposure/estimated-tokens.ts';
import { compactSchema } from '../../plugins/shared/exposure/listed-schemas.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { connect, source } from '../plugins/mcp/support/client.ts';
import { besideCatalogue } from '../support/catalogue.ts';
import { randomNumbers } from '../support/random.ts';
import { eachProvider } from '../tools/each-provider.ts';
import { mutated, valueFor } from './schema-values.ts';

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const tools = toolkit.listTools();
await toolkit.close();

describe('tools/list with all shipped tools', () => {
  /** The answer as it is sent, and what a client hands to a model for each tool. */
  let answer = '';
  let shown = '';
  before(async () => {
    const { client, sent } = await connect(toolkit.kernel, { excludeTools: besideCatalogue });
    const { tools: listed } = await client.request({ method: 'tools/list' }, ListToolsResultSchema);
    answer = JSON.stringify(sent.at(-1));
    // With the one that goes with every list.
    expect(listed).to.have.lengthOf(256);
    shown = listed.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, input_schema: inputSchema })).join('\n');
  });

  it('costs a model at most 68,000 tokens', () => {
    expect(countTokens(shown)).to.be.at.most(68_000);
  });

  it('is at most 385 kB', () => {
    expect(Buffer.byteLength(answer)).to.be.at.most(385_000);
  });

  it('is estimated within a tenth of its tokens', () => {
    expect(estimatedTokens(shown) / countTokens(shown)).to.be.within(0.9, 1.1);
  });
});

describe('tools/list in the exposure search', () => {
  it('costs a model at most 1,500 tokens with all shipped tools, whatever a client hands to it', async () => {
    const finder = source((sink) => void sink.addTool(callReadTool, { trust: 'package', isBuiltIn: true }), 'finder');
    const searched = await Toolkit.init({ autoDiscover: true, logger: memoryLogger(), plugins: [finder] });
    const { client, sent } = await connect(searched.kernel, { expose: 'search' });
    const { tools: listed } = await client.request({ method: 'tools/list' }, ListToolsResultSchema);
    await searched.close();
    expect(listed).to.have.lengthOf(5);
    expect(countTokens(JSON.stringify(sent.at(-1)))).to.be.at.most(1_500);
  });
});

describe('what toolkit_search_tools says of five tools', () => {
  it('costs a model at most 1,500 tokens, whichever they are', async () => {
    const searched = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
    const costs: number[] = [];
    for (const { name } of searched.listTools()) {
      const found = (await searched.execute('toolkit_search_tools', { query: name, limit: 1 })) as unknown as { tools: readonly unknown[] };
      expect(found.tools[0]).to.have.property('name', name);
      costs.push(countTokens(JSON.stringify(found.tools)));
    }
    await searched.close();
    const most = costs.sort((a, b) => b - a).slice(0, 5);
    expect(most.reduce((sum, cost) => sum + cost, 0)).to.be.at.most(1_500);
  });
});

const fixtureOutputs = new Map<string, readonly unknown[]>();
await eachProvider((_provider, { examples }) => {
  for (const [name, described] of examples) {
    const outputs = described.map((one) => (Object.hasOwn(one, 'output') ? one.output : (one.answers.at(-1)?.body ?? null)));
    fixtureOutputs.set(name, outputs);
  }
});

/** Values that are made up for each tool. */
const made = 60;

/** The schema without what it says of the form of texts, which is hard to make up. It takes more values, and is as compact. */
function withoutForms(schema: JsonSchema): JsonSchema {
  const isForm = (key: string, value: unknown): boolean => ['pattern', 'format'].includes(key) && typeof value === 'string';
  return JSON.parse(JSON.stringify(schema, (key, value) => (isForm(key, value) ? undefined : value))) as JsonSchema;
}

describe('what a list says of the results of every shipped tool', () => {
  const objects = tools.filter(({ outputSchema }) => outputSchema?.['type'] === 'object');
  for (const { name, definition, outputSchema = {} } of objects) {
    it(`${name} takes every result that the whole schema takes`, () => {
      const full = withoutForms(outputSchema);
      const random = randomNumbers(name.length);
      const makeOne = (): unknown => valueFor(full, full, random);
      const written = (definition.examples ?? []).flatMap(({ output }) => (output === undefined ? [] : [output]));
      const fixtures = (fixtureOutputs.get(name) ?? []).filter(isPlainObject);
      const values = [...written, ...fixtures, ...Array.from({ length: made }, makeOne)];
      const fitting = [...values, ...values.map((value) => mutated(value, random))].filter((value) => checkValue(full, value).length === 0);
      expect(fitting.length).to.be.at.least(written.length + fixtures.length + 1);
      const compact = compactSchema(outputSchema);
      const ofClients = new AjvJsonSchemaValidator().getValidator(compact);
      for (const value of fitting) {
        expect(checkValue(compact, value), JSON.stringify(value)).to.deep.equal([]);
        expect(ofClients(value).valid, JSON.stringify(value)).to.equal(true);
      }
    });
  }
});
