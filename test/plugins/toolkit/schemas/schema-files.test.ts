import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { expect } from 'chai';
import { glob } from 'tinyglobby';
import { createKernel, type JsonSchema, type Kernel } from '../../../../kernel/index.ts';
import { kindOf } from '../../../../plugins/shared/definition-files/definition-file.ts';
import { parseDefinition } from '../../../../plugins/shared/definition-files/definition-text.ts';
import { schemaFiles } from '../../../../plugins/toolkit/schemas/schema-files.ts';
import { standard } from '../../../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

type Check = (value: unknown) => { readonly valid: boolean; readonly errorMessage?: string };

const tool = (more: object): object => ({ name: 'shop_get', description: 'Gets something.', ...more });
const http = (more: object): object => tool({ execution: { type: 'http', method: 'get', url: 'https://shop.example/', ...more } });

/** Mistakes that the loader refuses or warns of, and that a schema can express. */
const refused: Readonly<Record<string, object>> = {
  'no name': { description: 'x', execution: { type: 'command', command: 'ls' } },
  'a name with a space': { ...http({}), name: 'a b' },
  'an empty description': { ...http({}), description: '' },
  'no execution': tool({}),
  'an unknown execution type': tool({ execution: { type: 'htpp' } }),
  'a mistyped key': { ...http({}), requires_aproval: true },
  'an unknown key': { ...http({}), color: 'red' },
  'an unknown key of an execution': http({ bodi: {} }),
  'a key of another execution type': http({ command: 'ls' }),
  'an unknown method': http({ method: 'gett' }),
  'an execution without what its type needs': tool({ execution: { type: 'command' } }),
  'a module with another ending': tool({ execution: { type: 'function', code: './x.rb' } }),
  'a time limit of nothing': http({ timeout_ms: 0 }),
  'an unknown parameter type': { ...http({}), parameters: { a: { type: 'strin' } } },
  'an unknown key deep in a parameter': { ...http({}), parameters: { a: { type: 'array', items: { typ: 'string' } } } },
  'a parameter that is a text': { ...http({}), parameters: { a: 'string' } },
  'an unknown risk': { ...http({}), risk: 'huge' },
  'an example without parameters': { ...http({}), examples: [{ description: 'x' }] },
  'retry without attempts': { ...http({}), retry: { on: [429] } },
  'retry of a command': tool({ execution: { type: 'command', command: 'ls' }, retry: { attempts: 2 } }),
  'a rate without its time': { ...http({}), rate_limit: { requests: 1 } },
  'two ways to the next page': {
    ...http({}),
    paginate: { items: '', limit: 'n', next: { page: { parameter: 'p' }, link: { parameter: 'q' } } },
  },
  'an unknown way to prove who calls': http({ auth: { type: 'magic' } }),
};

const accepted: Readonly<Record<string, object>> = {
  'keys of your own': { ...http({}), 'x-team': 'blue', parameters: { a: { type: 'string', 'x-note': 1 } } },
  'any parameter type': { ...http({}), parameters: { a: {}, b: { type: ['string', 'null'] } } },
  'parameters that the provider shares': { ...http({}), parameters: { $ref: '#/$defs/paging' } },
};

const configs: readonly (readonly [string, boolean, object])[] = [
  ['a module of the project', true, { plugins: ['./plugins/mine.ts', ['@acme/toolkit-plugin-cache', { ttl: 1 }]] }],
  [
    'built-in plugins with options',
    true,
    {
      plugins: [
        ['toolkit/standard', { toolPaths: ['./tools'] }],
        ['toolkit/plugins/mcp', { port: 0 }],
      ],
    },
  ],
  ['a preset', true, { plugins: [['toolkit/plugins/mcp', 'toolkit/plugins/cache-results']] }],
  ['the schema itself', true, { $schema: './config.schema.json', plugins: [] }],
  ['an option that is not there', false, { plugins: [['toolkit/standard', { toolPath: ['./tools'] }]] }],
  ['an option of another kind', false, { plugins: [['@toolkit/core/plugins/mcp', { port: 'http' }]] }],
  ['a built-in plugin that is not there', false, { plugins: ['toolkit/plugins/mpc'] }],
  ['no plugins', false, { logLevel: 'info' }],
  ['an unknown key', false, { plugins: [], plugin: [] }],
];

describe('the schemas of definition and configuration files', () => {
  let files: Readonly<Record<string, JsonSchema>>;
  let kernel: Kernel;
  const checks = new Map<string, Check>();
  const check = (name: string): Check => checks.get(name) as Check;

  before(async () => {
    const folders = await glob('*', {
      cwd: 'plugins',
      onlyDirectories: true,
      deep: 1,
      ignore: ['shared', 'toolkit', 'python-sdk', 'adapter-*'],
    });
    const modules = folders.map(async (folder) => {
      const name = folder.replace(/\/$/, '');
      return [name, await import(path.resolve('plugins', name, 'index.ts'))] as const;
    });
    files = await schemaFiles(Object.fromEntries(await Promise.all(modules)));
    for (const [name, schema] of Object.entries(files))
      checks.set(name.split('.')[0] ?? '', new AjvJsonSchemaValidator().getValidator(schema as never) as Check);
    kernel = await createKernel({ plugins: standard({ includeCore: false, autoDiscover: false }), logger: memoryLogger() });
  });
  after(() => kernel.close());

  it('take every definition that comes with the program', async () => {
    const [isTool, isProvider] = [check('tool'), check('provider')];
    const found = { tool: 0, provider: 0, other: 0 };
    const problems: string[] = [];
    for (const file of await glob('tools/**/*.yaml', { ignore: '**/node_modules/**' })) {
      const parsed = parseDefinition(await readFile(file, 'utf8'), file);
      const value = 'value' in parsed ? parsed.value : undefined;
      const kind = kindOf(value);
      found[kind]++;
      const { valid, errorMessage } = kind === 'tool' ? isTool(value) : kind === 'provider' ? isProvider(value) : { valid: true };
      if (!valid) problems.push(`${file}: ${errorMessage}`);
    }
    expect(problems).to.deep.equal([]);
    expect(found.tool).to.be.greaterThan(240);
    expect(found.provider).to.be.greaterThan(8);
  });

  for (const [what, definition] of Object.entries(refused))
    it(`refuse ${what}, as the loader does`, () => {
      expect(kernel.check(definition), 'the loader').to.not.deep.equal([]);
      expect(check('tool')(definition).valid).to.equal(false);
    });

  for (const [what, definition] of Object.entries(accepted))
    it(`take ${what}`, () => {
      const { errorMessage, valid } = check('tool')(definition);
      expect(valid, errorMessage).to.equal(true);
    });

  it('refuse a provider with an unknown key, and one without a name', () => {
    expect(check('provider')({ provider: { name: 'acme' }, base_ur: 'https://acme.example' }).valid).to.equal(false);
    expect(check('provider')({ provider: {} }).valid).to.equal(false);
    expect(
      check('provider')({ provider: { name: 'acme' }, $defs: { a: { type: 'string' } }, rate_limit: { concurrency: 1 } }).valid,
    ).to.equal(true);
  });

  for (const [what, isTaken, config] of configs)
    it(`${isTaken ? 'take' : 'refuse'} a configuration with ${what}`, () => {
      const { errorMessage, valid } = check('config')(config);
      expect(valid, errorMessage).to.equal(isTaken);
    });

  it('are draft 7 throughout: nothing stands under $defs, and nothing beside a $ref', () => {
    const laterKeywords = Object.entries(files).flatMap(([name, schema]) => [...laterKeys(schema, name, false)]);
    expect(laterKeywords).to.deep.equal([]);
  });
});

/** Places where a schema says what draft 7 does not know; names of properties may be anything. */
function* laterKeys(schema: unknown, place: string, isMap: boolean): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  const keys = Object.keys(schema);
  if (!isMap && !Array.isArray(schema)) {
    const strange = keys.filter((key) => ['$defs', 'prefixItems', 'dependentRequired', 'unevaluatedProperties', '$id'].includes(key));
    if (strange.length > 0 || (keys.includes('$ref') && keys.length > 1)) yield `${place}: ${keys}`;
  }
  for (const [key, value] of Object.entries(schema))
    if (key !== 'enum' && key !== 'const' && key !== 'default')
      yield* laterKeys(value, `${place}/${key}`, !isMap && ['properties', 'patternProperties', 'definitions'].includes(key));
}
