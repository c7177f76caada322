import { expect } from 'chai';
import { failure } from './failure.ts';
import { desk, pets } from './stand-in.ts';

const plan = { report: '4.1-rows' };
const given = { collection_path: 'pets', data_file: 'data.csv' };
const rows = [
  { id: '1', name: 'Ada' },
  { id: '2', name: 'Grüße, "日本"' },
  { id: '3', name: 'two\nlines' },
];
const csv = 'id,name\r\n1,Ada\r\n2,"Grüße, ""日本"""\r\n\r\n3,"two\nlines"\r\n';

describe('apiclient_run_collection: data_file', () => {
  const sources: { title: string; name: string; text: string; data: unknown }[] = [
    { title: 'CSV', name: 'data.csv', text: csv, data: rows },
    { title: 'CSV with a byte order mark', name: 'data.csv', text: `\uFEFF${csv}`, data: rows },
    { title: 'CSV with one column', name: 'data.CSV', text: 'id\n1\n2\n3\n', data: [{ id: '1' }, { id: '2' }, { id: '3' }] },
    {
      title: 'JSON, with values as they are',
      name: 'data.json',
      text: '[{"id":1,"a":{"b":null}},{"id":true},{}]',
      data: [{ id: 1, a: { b: null } }, { id: true }, {}],
    },
    {
      title: 'JSON with an integer beyond 2^53, of which no digit is lost',
      name: 'data.json',
      text: '[{"id":7960607143101464577,"a":[-9007199254740993,9007199254740991]}]',
      data: [{ id: '7960607143101464577', a: ['-9007199254740993', 9007199254740991] }],
    },
    { title: 'JSON with a byte order mark', name: 'data.json', text: '\uFEFF[{"id":1}]', data: [{ id: 1 }] },
  ];
  for (const { title, name, text, data } of sources) {
    it(`runs once for each row of ${title}`, async () => {
      const { call, runs } = await desk({ files: { ...pets(), [name]: text }, plan });
      await call('run_collection', { ...given, data_file: name });
      const [run] = await runs();
      expect(run?.data).to.deep.equal(data);
      expect(run?.args.some((arg) => /^--(iteration-count|csv-file-path)/.test(arg))).to.equal(false);
    });
  }

  it('gives a result for each row', async () => {
    const { call } = await desk({ files: { ...pets(), 'data.csv': csv }, plan });
    const { success, errors, summary, results } = await call('run_collection', given);
    expect([success, errors]).to.deep.equal([true, []]);
    expect(summary).to.include({ iterations: 3, total: 3, passed: 3 });
    expect(results.map(({ iteration, url }) => `${iteration} ${url}`)).to.deep.equal(
      [0, 1, 2].map((index) => `${index} http://127.0.0.1:8080/pets/${index + 1}`),
    );
  });

  const counts: { count: number; ids: readonly string[] }[] = [
    { count: 1, ids: ['1'] },
    { count: 2, ids: ['1', '2'] },
    { count: 3, ids: ['1', '2', '3'] },
    { count: 7, ids: ['1', '2', '3', '1', '2', '3', '1'] },
  ];
  for (const { count, ids } of counts) {
    it(`runs ${count} times through three rows when iteration_count says so`, async () => {
      const { call, runs } = await desk({ files: { ...pets(), 'data.csv': csv }, plan });
      await call('run_collection', { ...given, iteration_count: count });
      const data = (await runs())[0]?.data as { id: string }[];
      expect(data.map(({ id }) => id)).to.deep.equal(ids);
    });
  }

  const refusals: { title: string; name?: string; text: string; words: readonly string[] }[] = [
    { title: 'an object', name: 'd.json', text: '{"a":[]}', words: ['/d.json is wrong', 'expected a list of objects, received an object'] },
    {
      title: 'a list of numbers',
      name: 'd.json',
      text: '[{},7]',
      words: ['/d.json is wrong at [1]', 'expected an object, received a number'],
    },
    { title: 'an empty list', name: 'd.json', text: '[]', words: ['/d.json has no rows', 'at least one'] },
    { title: 'broken JSON', name: 'd.json', text: '[{', words: ['/d.json is no JSON', 'Expected a list of objects'] },
    { title: 'an empty file', text: '', words: ['/data.csv has no rows'] },
    { title: 'a header alone', text: 'id,name\n', words: ['/data.csv has no rows'] },
    { title: 'a row with too few columns', text: 'id,name\n1,a\n2\n', words: ['/data.csv is wrong in row 2', 'Too few fields'] },
    { title: 'a row with too many columns', text: 'id,name\n1,a,b\n', words: ['/data.csv is wrong in row 1', 'Too many fields'] },
    { title: 'an open quote', text: 'id,name\n1,"a\n', words: ['/data.csv is wrong', 'Quoted field unterminated'] },
    { title: 'another format', name: 'd.xlsx', text: 'x', words: ['/d.xlsx has another format', '.csv or .json'] },
  ];
  for (const { title, name = 'data.csv', text, words } of refusals) {
    it(`refuses ${title}, and runs nothing`, async () => {
      const { call, starts } = await desk({ files: { ...pets(), [name]: text }, plan });
      failure(await call('run_collection', { ...given, data_file: name }), ...words);
      expect(await starts()).to.deep.equal([]);
    });
  }

  const places: { title: string; place: string; words: readonly string[] }[] = [
    { title: 'a file that is missing', place: 'gone.csv', words: ['/gone.csv cannot be read: ENOENT'] },
    { title: 'a folder', place: 'folder.csv', words: ['/folder.csv cannot be read: it is no file'] },
    { title: 'a file outside of the roots', place: '../data.csv', words: ['"data_file"', 'expected a path inside'] },
  ];
  for (const { title, place, words } of places) {
    it(`refuses ${title}, and runs nothing`, async () => {
      const { call, starts } = await desk({ files: { ...pets(), 'folder.csv/x': '' }, plan });
      failure(await call('run_collection', { ...given, data_file: place }), ...words);
      expect(await starts()).to.deep.equal([]);
    });
  }

  it('refuses more rows than the limit of iterations', async () => {
    const { call } = await desk({ files: { ...pets(), 'data.csv': csv }, plan, options: { limits: { maxIterations: 2 } } });
    failure(await call('run_collection', given), '3 times', 'at most 2', 'smaller iteration_count', 'limits.maxIterations');
    expect((await call('run_collection', { ...given, iteration_count: 2 })).results).not.to.equal(undefined);
  });
});
