import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { until } from '../../e2e/program.ts';
import { type Answer, echo, good, outcome, projectWithRunner, type Seen, type Session, variables } from './session.ts';

const isOk = 'test("is ok", function () { expect(res.getStatus()).to.equal(200); });';

/** A `.bru` request with tags. */
function bru(
  name: string,
  order: number,
  { tags = [], url = `{{base}}/${name}`, tests = isOk }: { tags?: string[]; url?: string; tests?: string } = {},
): string {
  const tagLines = tags.length === 0 ? '' : `  tags: [\n${tags.map((tag) => `    ${tag}\n`).join('')}  ]\n`;
  const testBlock = tests === '' ? '' : `\ntests {\n  ${tests}\n}\n`;
  return `meta {\n  name: ${name}\n  type: http\n  seq: ${order}\n${tagLines}}\n\nget {\n  url: ${url}\n  body: none\n  auth: none\n}\n${testBlock}`;
}

/** A collection `shop` with an environment `local`, and these request files. */
async function shop(given: Session, url: string, files: Readonly<Record<string, string>>): Promise<void> {
  await given.call('create_collection', { collection_name: 'Shop', collection_path: 'shop' });
  await mkdir(path.join(given.folder, 'shop/environments'));
  await given.write('shop/environments/local.bru', `vars {\n  base: ${url}\n}\n`);
  for (const [name, content] of Object.entries(files)) await given.write(`shop/${name}`, content);
}

const local = { collection_path: 'shop', environment: 'local' };
const paths = (seen: readonly Seen[]): string[] => seen.map(({ url }) => url);

describe('running a collection with the real runner', function () {
  this.timeout(300_000);
  const session = projectWithRunner();

  it('says what failed and why, in the order of the run, and succeeds only when nothing did', async () => {
    const given = await session();
    const { url } = await echo();
    const assertion = `${bru('assert', 3, { tests: '' })}\nassert {\n  res.status: eq 201\n}\n`;
    await shop(given, url, {
      'a.bru': bru('good', 1),
      'b.bru': bru('missing', 2),
      'c.bru': assertion,
      'd.bru': bru('gone', 4, { url: 'http://127.0.0.1:1/' }),
    });
    const run = await given.call('run_collection', local);
    expect(run.success).to.equal(false);
    expect(run['summary']).to.include({ total_requests: 4, passed: 1, failed: 3, skipped: 0, total: 4 });
    expect(run['results'].map(({ name, status }: Answer) => `${name} ${status}`)).to.deep.equal([
      'good passed',
      'missing failed',
      'assert failed',
      'gone failed',
    ]);
    expect(run['results'][1]).to.include({ response_status: 404, url: `${url}/missing`, method: 'GET' });
    expect(run['results'][1].assertions[0]).to.deep.include({ name: 'is ok', status: 'failed' });
    expect(run['results'][2].assertions[0]).to.include({ status: 'failed' });
    expect(run['results'][3]).to.include({ response_status: null });
    expect(run['results'][3].error).to.include('ECONNREFUSED');
  });

  it('stops after the first failure when it is asked to', async () => {
    const given = await session();
    const { url, seen } = await echo();
    await shop(given, url, { 'a.bru': bru('one', 1), 'b.bru': bru('missing', 2), 'c.bru': bru('three', 3) });
    const run = await given.call('run_collection', { ...local, bail_on_failure: true, iteration_count: 2 });
    expect(run.success).to.equal(false);
    expect(paths(seen)).to.deep.equal(['/one', '/missing']);
    expect(run['summary']).to.include({ total_requests: 2, passed: 1, failed: 1 });
  });

  const filters: { what: string; given: Record<string, unknown>; sent: string[] }[] = [
    { what: 'one tag', given: { tags: 'smoke' }, sent: ['/both', '/smoke'] },
    { what: 'all of several tags', given: { tags: 'smoke, fast' }, sent: ['/both'] },
    { what: 'any of several excluded tags', given: { exclude_tags: 'fast,slow' }, sent: ['/smoke', '/plain'] },
    { what: 'tags and excluded tags', given: { tags: 'smoke', exclude_tags: 'fast' }, sent: ['/smoke'] },
    { what: 'tests only', given: { tests_only: true }, sent: ['/both', '/smoke', '/slow'] },
  ];
  for (const { what, given: parameters, sent } of filters) {
    it(`runs the requests that ${what} leave`, async () => {
      const given = await session();
      const { url, seen } = await echo();
      await shop(given, url, {
        'a.bru': bru('both', 1, { tags: ['smoke', 'fast'] }),
        'b.bru': bru('smoke', 2, { tags: ['smoke'] }),
        'c.bru': bru('slow', 3, { tags: ['slow'] }),
        'd.bru': bru('plain', 4, { tests: '' }),
      });
      expect(outcome(await given.call('run_collection', { ...local, ...parameters }))).to.deep.equal(good);
      expect(paths(seen)).to.deep.equal(sent);
    });
  }

  const data = [
    { file: 'rows.csv', content: 'pet,note\nRex,"a, b"\nMia,ü\n', notes: ['a%2C%20b', '%C3%BC'] },
    { file: 'rows.json', content: '[{"pet":"Rex","note":"x"},{"pet":"Mia","note":"y"}]', notes: ['x', 'y'] },
  ];
  for (const { file, content } of data) {
    const cases: { count?: number; sent: string[] }[] = [
      { sent: ['/Rex', '/Mia'] },
      { count: 1, sent: ['/Rex'] },
      { count: 3, sent: ['/Rex', '/Mia', '/Rex'] },
    ];
    for (const { count, sent } of cases) {
      it(`runs ${sent.length} rows of ${file}${count === undefined ? '' : ` with iteration_count ${count}`}`, async () => {
        const given = await session();
        const { url, seen } = await echo();
        await shop(given, url, { 'a.bru': bru('one', 1, { url: '{{base}}/{{pet}}' }) });
        await given.write(file, content);
        const run = await given.call('run_collection', {
          ...local,
          data_file: file,
          ...(count === undefined ? {} : { iteration_count: count }),
        });
        expect(outcome(run)).to.deep.equal(good);
        expect(paths(seen)).to.deep.equal(sent);
        expect(run['summary']).to.include({ iterations: sent.length });
        expect(run['results'].map(({ iteration }: Answer) => iteration)).to.deep.equal(sent.map((_, index) => index));
      });
    }
  }

  it('repeats it, waits between requests, and runs iterations side by side', async () => {
    const given = await session();
    const { url, seen } = await echo();
    await shop(given, url, { 'a.bru': bru('one', 1), 'b.bru': bru('two', 2) });
    const repeated = await given.call('run_collection', { ...local, iteration_count: 3, delay_ms: 5 });
    expect(outcome(repeated)).to.deep.equal(good);
    expect(paths(seen)).to.deep.equal(['/one', '/two', '/one', '/two', '/one', '/two']);
    const parallel = await given.call('run_collection', { ...local, iteration_count: 2, parallel: true });
    expect(outcome(parallel)).to.deep.equal(good);
    expect(parallel['summary']).to.include({ total_requests: 4, iterations: 2 });
  });

  for (const [format, file, start] of [
    ['json', 'r.json', '['],
    ['junit', 'r.xml', '<?xml'],
    ['html', 'r.html', '<!'],
  ] as const) {
    it(`writes a report in ${format} where it is asked to, and to a temporary file otherwise`, async () => {
      const given = await session();
      const { url } = await echo();
      await shop(given, url, { 'a.bru': bru('one', 1) });
      const named = await given.call('run_collection', { ...local, report_format: format, report_path: file });
      expect(outcome(named)).to.deep.equal(good);
      expect(named['report_path']).to.equal(path.join(given.folder, file));
      const other = await given.call('run_collection', { ...local, report_format: format });
      for (const report of [named, other]) {
        const text = await readFile(report['report_path'], 'utf8');
        expect(text.trimStart().slice(0, start.length).toLowerCase()).to.equal(start);
        expect(text).to.include('one');
      }
      expect(await given.leftovers()).to.deep.equal([]);
    });
  }

  it('reads the variables of an environment file and runs nothing that it says of Node', async () => {
    const given = await session();
    const { url, seen } = await echo();
    await shop(given, url, { 'a.bru': bru('one', 1) });
    const marker = path.join(given.folder, 'marker');
    await given.write('evil.js', `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '');`);
    await given.write('evil.json', `NODE_OPTIONS="--require=${given.folder}/evil.js"\n`);
    const refused = await given.call('run_collection', { collection_path: 'shop', env_file: 'evil.json' });
    expect(refused.success).to.equal(false);
    expect(await readdir(given.folder)).to.not.include('marker');
    await given.write('v.json', variables({ base: url }));
    expect(outcome(await given.call('run_collection', { collection_path: 'shop', env_file: 'v.json' }))).to.deep.equal(good);
    expect(paths(seen)).to.deep.equal(['/one']);
  });

  it('gives the answer to one request, whose file may have any name', async () => {
    const given = await session();
    const { url } = await echo();
    await shop(given, url, { '-dash.bru': bru('-dash', 1) });
    await mkdir(path.join(given.folder, 'shop/Größe & Co'));
    await writeFile(path.join(given.folder, 'shop/Größe & Co/get it.bru'), bru('get it', 2));
    for (const name of ['-dash', 'get it']) {
      const answer = await given.call('run_request', { ...local, request_name: name });
      expect(outcome(answer)).to.deep.equal(good);
      expect(answer['request']).to.include({ method: 'GET', body: null });
      expect(answer['response']).to.include({ status: 200 });
      expect(answer['response'].headers).to.include({ 'x-answer': 'yes' });
      expect(answer['response'].body).to.include({ method: 'GET' });
      expect(answer['assertions']).to.deep.equal([{ name: 'is ok', status: 'passed' }]);
    }
  });

  it('names a file that cannot be read, runs the others, and does not call that a success', async () => {
    const given = await session();
    const { url, seen } = await echo();
    await shop(given, url, { 'a.bru': bru('one', 1), 'broken.bru': 'get {\n' });
    const run = await given.call('run_collection', local);
    expect(run.success).to.equal(false);
    expect(run.errors.join()).to.include('broken.bru');
    expect(run['summary']).to.include({ total_requests: 1, passed: 1 });
    expect(paths(seen)).to.deep.equal(['/one']);
  });

  it('tells how far it is, and ends the runner when the call is cancelled', async () => {
    const given = await session();
    const { url, seen } = await echo();
    await shop(given, url, { 'a.bru': bru('one', 1), 'b.bru': bru('two', 2) });
    const cancel = new AbortController();
    const steps: number[] = [];
    const call = given.client.callTool(given.request('run_collection', { ...local, delay_ms: 60_000 }), undefined, {
      signal: cancel.signal,
      timeout: 120_000,
      onprogress: ({ progress }) => void steps.push(progress),
    });
    await until(async () => (seen.length > 0 ? true : undefined));
    cancel.abort();
    await call.catch(() => {});
    await until(async () => ((await given.leftovers()).length === 0 ? true : undefined));
    expect(paths(seen)).to.deep.equal(['/one']);
  });
});
