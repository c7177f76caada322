import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { desk } from './stand-in.ts';

const path = '  /p: { get: { responses: { "200": { description: ok } } } }\n';

/** An OpenAPI document of so many paths. */
function specification(count: number): string {
  return `openapi: 3.0.0\ninfo: { title: Large }\npaths:\n${Array.from({ length: count }, (_, index) => path.replace('/p', `/p${index}`)).join('')}`;
}

const readers: ChildProcess[] = [];
let onReader = (_reader: ChildProcess): void => {};

/** Sees the processes that read YAML, of all that are started. */
function see(message: unknown): void {
  const { process: started } = message as { process: ChildProcess };
  // The arguments are known once it is spawned.
  started.once('spawn', () => {
    if (!started.spawnargs.some((argument) => argument.endsWith('yaml-reader.cjs'))) return;
    readers.push(started);
    onReader(started);
  });
}

describe('large YAML files', () => {
  beforeEach(() => subscribe('child_process', see));

  afterEach(() => {
    unsubscribe('child_process', see);
    readers.length = 0;
    onReader = () => {};
  });

  it('are read in a process of their own, so that other work goes on, and small ones are not', async () => {
    const { call } = await desk({ files: { 'large.yaml': specification(400), 'small.yaml': specification(3) }, plan: { import: 'bru' } });
    for (const name of ['large', 'small']) {
      const { errors } = await call('import_openapi', { spec_source: `${name}.yaml`, output_directory: name });
      expect(errors).to.deep.equal([]);
      expect(readers, name).to.have.length(1);
    }
  });

  it('of a collection are read alike, and what is wrong with one is told', async () => {
    const long = `docs: |\n${'  text\n'.repeat(10_000)}`;
    const { call } = await desk({
      files: {
        'c/opencollection.yml': `info: { name: Long }\nrequest: { auth: inherit }\n${long}`,
        'c/a.yml': `info: { name: A }\nhttp: { method: PUT, url: http://a }\n${long}`,
        'c/b.yml': `${long}info: [\n`,
        'c/environments/e.yml': `variables: [{ name: a, value: b }]\n${long}`,
      },
    });
    const { collection, errors } = await call('get_collection_info', { collection_path: 'c' });
    expect(collection.name).to.equal('Long');
    expect(collection.requests.map(({ name, method }) => `${method} ${name}`)).to.deep.equal(['PUT A']);
    expect(collection.environments).to.deep.equal([{ name: 'e', variables: [{ name: 'a', value: 'b', enabled: true, secret: false }] }]);
    expect(collection.authentication.mode).to.equal('inherit');
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include('b.yml: cannot be read').and.to.include('line 10003');
  });

  it('are let go when the call is cancelled', async () => {
    const { call } = await desk({ files: { 'o.yaml': specification(20_000) } });
    const cancelling = new AbortController();
    // In a list, because it can be awaited itself.
    const started = new Promise<[ChildProcess]>((resolve) => {
      onReader = (reader) => resolve([reader]);
    });
    const running = rejection(
      call('import_openapi', { spec_source: 'o.yaml', output_directory: 'out' }, { signal: cancelling.signal }),
      'ABORTED',
    );
    const [reader] = await started;
    const ended = once(reader, 'exit');
    cancelling.abort();
    const [, [exitCode]] = await Promise.all([running, ended]);
    expect(exitCode).to.equal(null);
  });
});
