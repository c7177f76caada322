import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { until } from '../../e2e/program.ts';
import { type Answer, echo, good, outcome, projectWithRunner, type Seen, type Session } from './session.ts';

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

describe('running a collection with the real runner', () => {
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

  // What the plugin decides itself, such as the requests that have all of several tags, is held with the stand-in.
  const filters: { what: string; given: Record<string, unknown>; sent: string[] }[] = [
    { what: 'tags and any of several excluded tags', given: { tags: 'smoke', exclude_tags: 'fast,slow' }, sent: ['/smoke'] },
    { what: 'tests only and excluded tags', given: { tests_only: true, exclude_tags: 'fast' }, sent: ['/smoke', '/slow', '/other'] },
  ];
  for (const { what, given: parameters, sent } of filters) {
    it(`runs the requests that ${what} leave`, async () => {
      const given = await session();
      const { url, seen } = await echo();
      await shop(given, url, {
        '-a.bru': bru('both', 1, { tags: ['smoke', 'fast'] }),
        '-b.bru': bru('smoke', 2, { tags: ['smoke'] }),
        'c.bru': bru('slow', 3, { tags: ['smoke', 'slow'] }),
        'd.bru': bru('other', 4, { tags: ['other'] }),
        'e.bru': bru('plain', 5, { tests: '' }),
      });
      expect(outcome(await given.call('run_collection', { ...local, ...parameters }))).to.deep.equal(good);
      expect(paths(seen)).to.deep.equal(sent);
    });
  }

  it('runs once for each row, and from the first again when iteration_count asks for more', async () => {
    const given = await session();
    const { url, seen } = await echo();
    await shop(given, url, { 'a.bru': bru('one', 1, { url: '{{base}}/{{pet}}?note={{note}}' }) });
    await given.write('rows.csv', 'pet,note\nRex,"a, b"\nMia,ü\n');
    const run = await given.call('run_collection', { ...local, data_file: 'rows.csv', iteration_count: 3 });
    expect(outcome(run)).to.deep.equal(good);
    expect(paths(seen)).to.deep.equal(['/Rex?note=a,%20b', '/Mia?note=%C3%BC', '/Rex?note=a,%20b']);
    expect(run['summary']).to.include({ iterations: 3 });
    expect(run['results'].map(({ iteration }: Answer) => iteration)).to.deep.equal([0, 1, 2]);
  });

  const repeated: {
    what: string;
    given: { iteration_count: number; report_path: string; delay_ms?: number; parallel?: boolean };
    start: string;
  }[] = [
    { what: 'one after the other, with a report in HTML', given: { iteration_count: 3, report_path: 'r.html', delay_ms: 5 }, start: '<!' },
    { what: 'side by side, with a report for JUnit', given: { iteration_count: 2, report_path: 'r.xml', parallel: true }, start: '<?xml' },
  ];
  for (const { what, given: parameters, start } of repeated) {
    it(`runs iterations ${what}`, async () => {
      const given = await session();
      const { url, seen } = await echo();
      await shop(given, url, { 'a.bru': bru('one', 1), 'b.bru': bru('two', 2) });
      const run = await given.call('run_collection', { ...local, ...parameters });
      expect(outcome(run)).to.deep.equal(good);
      const { iteration_count: iterations, report_path: file, parallel = false } = parameters;
      expect(run['summary']).to.include({ total_requests: 2 * iterations, iterations });
      const sent = Array.from({ length: iterations }, () => ['/one', '/two']).flat();
      if (parallel) expect(paths(seen)).to.have.members(sent);
      else expect(paths(seen)).to.deep.equal(sent);
      expect(run['report_path']).to.equal(path.join(given.folder, file));
      const report = await readFile(run['report_path'], 'utf8');
      expect(report.trimStart().slice(0, start.length).toLowerCase()).to.equal(start);
      expect(report).to.include('one');
      expect(await given.leftovers()).to.deep.equal([]);
    });
  }

  it('runs nothing that an environment file says of Node', async () => {
    const given = await session();
    const { url, seen } = await echo();
    await shop(given, url, { 'a.bru': bru('one', 1) });
    const marker = path.join(given.folder, 'marker');
    await given.write('evil.js', `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '');`);
    await given.write('evil.json', `NODE_OPTIONS="--require=${given.folder}/evil.js"\n`);
    const refused = await given.call('run_collection', { collection_path: 'shop', env_file: 'evil.json' });
    expect(refused.success).to.equal(false);
    expect(await readdir(given.folder)).to.not.include('marker');
    expect(seen).to.deep.equal([]);
  });

  it('gives the answer to one request, whose file may have any name', async () => {
    const given = await session();
    const { url } = await echo();
    await shop(given, url, { 'a.bru': bru('other', 1) });
    await mkdir(path.join(given.folder, 'shop/-Größe & Co'));
    await writeFile(path.join(given.folder, 'shop/-Größe & Co/-get it.bru'), bru('get it', 2));
    const answer = await given.call('run_request', { ...local, request_name: 'get it' });
    expect(outcome(answer)).to.deep.equal(good);
    expect(answer['request']).to.include({ method: 'GET', body: null });
    expect(answer['response']).to.include({ status: 200 });
    expect(answer['response'].headers).to.include({ 'x-answer': 'yes' });
    expect(answer['response'].body).to.include({ method: 'GET' });
    expect(answer['assertions']).to.deep.equal([{ name: 'is ok', status: 'passed' }]);
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
    await until(async () => (steps.length > 0 ? true : undefined));
    cancel.abort();
    await call.catch(() => {});
    await until(async () => ((await given.leftovers()).length === 0 ? true : undefined));
    expect(paths(seen)).to.deep.equal(['/one']);
    expect(steps).to.deep.equal([1]);
  });
});
