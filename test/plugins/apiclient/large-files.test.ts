import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { bruLanguage } from '../../../plugins/apiclient/bru-language.ts';
import { failure } from './failure.ts';
import { desk, pets, request } from './stand-in.ts';

const megabyte = 1_000_000;
const { bruToJsonV2 } = await bruLanguage();
const line = '  some text with { and } and """\n';

/** Returns lines with this number of characters. */
const lines = (length: number, text = line): string => text.repeat(Math.floor(length / text.length));

describe('large .bru files', () => {
  it('are read when it is their texts that are large', async () => {
    const more = ['body:json', 'script:pre-request', 'tests', 'docs'].map((name) => `\n${name} {\n${lines(200_000)}}\n`).join('');
    const { call } = await desk({
      files: pets({
        'large.bru': request('Large', { more }),
        'collection.bru': `docs {\n${lines(900_000)}}\n\nauth {\n  mode: basic\n}\n`,
      }),
    });
    const { collection, errors } = await call('get_collection_info', { collection_path: 'pets' });
    expect(errors).to.deep.equal([]);
    expect(collection.requests.find(({ name }) => name === 'Large')).to.deep.include({ has_tests: true });
    expect(collection.authentication.mode).to.equal('basic');
  });

  it('are named when there is much else in them, and the rest is read', async () => {
    const headers = (name: string) => request(name, { more: `\nheaders {\n${lines(40_000, '  a: b\n')}}\n` });
    const { call } = await desk({
      files: pets({ 'large.bru': headers('Large'), 'environments/big.bru': `vars {\n${lines(40_000, '  a: b\n')}}\n` }),
    });
    const { collection, errors } = await call('get_collection_info', { collection_path: 'pets' });
    expect(collection.requests).to.have.length(3);
    expect(errors.map((error) => error.replace(/\d+ char/, 'N char'))).to.deep.equal(
      ['large.bru', 'environments/big.bru'].map(
        (file) => `${file}: cannot be read: it has N characters beside its texts (bodies, scripts, tests, docs); at most 32768 are read`,
      ),
    );
  });

  it('are written whole', async () => {
    const { call } = await desk({ files: { 'pets/bruno.json': '{}' } });
    const text = lines(megabyte, 'a { "b": 1 }\n}\n').trimEnd();
    const given = {
      collection_path: 'pets',
      request_name: 'a',
      method: 'POST',
      url: '{base}/',
      body: text,
      tests: text,
      documentation: text,
    };
    const { errors, request_path: file } = await call('add_request', given);
    expect(errors).to.deep.equal([]);
    const indented = text.replace(/^/gm, '  ');
    const written = await readFile(file, 'utf8');
    for (const name of ['body:text', 'tests', 'docs']) expect(written.includes(`${name} {\n${indented}\n}\n`), name).to.equal(true);
  });

  it('are not written when it is not their texts that are large', async () => {
    const { call } = await desk({ files: { 'pets/bruno.json': '{}' } });
    const headers = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`h${index}`, 'x'.repeat(8000)]));
    failure(
      await call('add_request', { collection_path: 'pets', request_name: 'a', method: 'GET', url: '{base}/', headers }),
      'cannot be written',
    );
  });

  const broken: { title: string; text: string; words: string }[] = [
    {
      title: 'a text without an end',
      text: 'meta {\n  name: a\n}\n\ndocs {\n  x\n',
      words: 'Line 5: the block docs has no end; expected a } in the first column',
    },
    { title: 'something wrong behind a text', text: 'docs {\n  x\n  y\n}\n\nget {\n  url\n}\n', words: 'Line 7, col 6: Expected' },
    { title: 'something behind the end of a text', text: 'docs {\n  x\n} y\n', words: 'Line 3, col 2: Expected' },
  ];
  for (const { title, text, words } of broken) {
    it(`with ${title} are named with the line of the file`, async () => {
      const { call } = await desk({ files: pets({ 'b.bru': text }) });
      const { errors } = await call('get_collection_info', { collection_path: 'pets' });
      expect(errors).to.have.length(1);
      expect(errors[0]).to.include(`b.bru: cannot be read: ${words}`);
    });
  }

  it('keep what looks like a block in a value, and what looks like a value in a block', async () => {
    const odd = "\nheaders {\n  a: '''\n    docs {\n    tests {\n  '''\n}\n\ndocs {\n  get {\n    url: other\n  }\n  tests {\n}\n";
    const { call } = await desk({ files: pets({ 'odd.bru': request('Odd', { more: odd }) }) });
    expect(bruToJsonV2(request('Odd', { more: odd })).docs).to.equal('get {\n  url: other\n}\ntests {');
    const { collection, errors } = await call('get_collection_info', { collection_path: 'pets' });
    expect(errors).to.deep.equal([]);
    expect(collection.requests.find(({ name }) => name === 'Odd')).to.deep.include({ url: '{{base}}/pets', has_tests: false });
  });
});
