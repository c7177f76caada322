import { expect } from 'chai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { coreGroup } from '../../../support/core-group.ts';
import { randomNumbers } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('json');

interface Result {
  readonly valid: boolean;
  readonly checked?: number;
  readonly invalid?: number;
  readonly errors: readonly {
    readonly pointer: string;
    readonly message: string;
    readonly count?: number;
    readonly files?: readonly string[];
  }[];
  readonly total?: number;
  readonly truncated?: boolean;
  readonly next_offset?: number;
  readonly more?: true;
}

async function validator(files: Readonly<Record<string, string>> = {}): Promise<(given: object) => Promise<Result>> {
  const toolkit = await coreToolkit({ roots: [await temporaryFolder(files)] });
  return (given) => toolkit.execute('json_validate', { ...given }) as unknown as Promise<Result>;
}

const numbers = { type: 'array', items: { type: 'number' } };
const letters = (count: number): string[] => Array.from({ length: count }, () => 'a');

describe('the pages of json_validate', () => {
  for (const { count, max } of [
    { count: 25, max: 20 },
    { count: 20, max: 20 },
    { count: 25, max: 7 },
    { count: 3, max: 1 },
    { count: 0, max: 5 },
    { count: 1_234, max: 500 },
  ])
    it(`give all of ${count} problems, ${max} on each, once`, async () => {
      const validate = await validator();
      const seen: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const page: Result = await validate({ data: letters(count), schema: numbers, max_errors: max, offset });
        expect(page.total).to.equal(count > max ? count : undefined);
        expect(page.errors.length).to.be.at.most(max);
        expect(page.truncated === true).to.equal(page.next_offset !== undefined);
        seen.push(...page.errors.map(({ pointer }) => pointer));
        offset = page.next_offset;
      }
      expect(seen).to.deep.equal(letters(count).map((_, index) => `/${index}`));
    });

  it('are of twenty problems, and say that there are more', async () => {
    const result = await (await validator())({ data: letters(25), schema: numbers });
    expect(result).to.include({ valid: false, total: 25, truncated: true, next_offset: 20 });
    expect(result.errors).to.have.length(20);
  });

  it('say where not all problems are counted', async () => {
    const validate = await validator();
    expect((await validate({ data: letters(30_000), schema: numbers })).more).to.equal(true);
    expect(await validate({ data: letters(25), schema: numbers })).not.to.have.property('more');
  });
});

describe('json_validate of files', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      version: { type: 'string', pattern: '^\\d' },
      keywords: { type: 'array', items: { type: 'string' } },
    },
    required: ['name', 'version'],
  };
  const files = {
    'a/package.json': '{"name":"a","version":"1"}',
    'b/package.json': '\uFEFF{"name":"b"}',
    'c/package.json': '{"name":3,"version":"1","keywords":[1,2,"x"]}',
    'd/package.json': '{"name":',
    'e/other.json': '{}',
    'node_modules/f/package.json': '{}',
  };

  it('groups the same problem at the same place', async () => {
    const validate = await validator(files);
    const result = await validate({ glob: 'package.json', schema });
    expect(result).to.deep.include({ valid: false, checked: 4, invalid: 3, total: 5, truncated: false });
    expect(result.errors).to.deep.equal([
      { pointer: '/keywords/*', message: 'expected string', count: 2, files: ['c/package.json'] },
      { pointer: '/version', message: 'is required', count: 1, files: ['b/package.json'] },
      { pointer: '/name', message: 'expected string', count: 1, files: ['c/package.json'] },
      { pointer: '', message: 'is no JSON', count: 1, files: ['d/package.json'] },
    ]);
  });

  it('takes paths and a folder', async () => {
    const validate = await validator(files);
    expect(await validate({ paths: ['a/package.json'], schema })).to.include({ valid: true, checked: 1, invalid: 0, total: 0 });
    expect(await validate({ glob: '*.json', path: 'e', schema: { type: 'object' } })).to.include({ valid: true, checked: 1 });
    expect(await validate({ glob: 'none.json', schema })).to.include({ valid: true, checked: 0 });
  });

  it('names a file that cannot be read as one that does not fit', async () => {
    const { errors } = await (await validator(files))({ paths: ['a/package.json', 'z.json'], schema });
    expect(errors).to.have.length(1);
    expect(errors[0]?.message).to.match(/^cannot be read: /);
  });

  for (const given of [{}, { data: 1, glob: '*' }, { paths: ['a'], glob: '*' }, { data: 1, paths: ['a'] }])
    it(`refuses ${JSON.stringify(given)}`, async () => {
      const { message } = await rejection((await validator(files))({ ...given, schema }), 'INVALID_PARAMETERS');
      expect(message).to.include('expected one of data, paths and glob');
    });

  it('refuses a wrong schema also where there is no file', async () => {
    await rejection((await validator())({ glob: '*.json', schema: { type: 'nothing' } }), 'INVALID_PARAMETERS');
  });

  it('says of 200 documents, 80 of which break the schema, all there is in under 4,000 tokens', async () => {
    const random = randomNumbers(44);
    const wanted: Record<string, object> = {};
    const broken = new Set<number>();
    while (broken.size < 80) broken.add(Math.floor(random() * 200));
    for (let index = 0; index < 200; index++) {
      const name = `packages/p${String(index).padStart(3, '0')}/package.json`;
      const whole = { name: `p${index}`, version: '1.0.0', keywords: ['x'] };
      const wrong = [
        { name: 'p' },
        { ...whole, name: 1 },
        { ...whole, version: 'v1' },
        { version: '1' },
        { ...whole, keywords: Array(25).fill(1) },
      ];
      wanted[name] = broken.has(index) ? (wrong[index % wrong.length] as object) : whole;
    }
    const validate = await validator(Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, JSON.stringify(value)])));
    const given = { glob: 'packages/*/package.json', schema };
    const result = await validate(given);
    expect(result).to.include({ checked: 200, invalid: 80, truncated: false });
    const named = new Set(result.errors.flatMap(({ files: names = [] }) => names));
    expect([...named].sort()).to.deep.equal([...broken].sort((a, b) => a - b).map((index) => Object.keys(wanted)[index]));
    expect(countTokens(JSON.stringify(given)) + countTokens(JSON.stringify(result))).to.be.at.most(4_000);
  });
});
