import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { desk } from './stand-in.ts';

const path = '  /p: { get: { responses: { "200": { description: ok } } } }\n';

/** An OpenAPI document of so many paths. */
function specification(count: number): string {
  return `openapi: 3.0.0\ninfo: { title: Large }\npaths:\n${Array.from({ length: count }, (_, index) => path.replace('/p', `/p${index}`)).join('')}`;
}

describe('large YAML files', () => {
  it('are read in a thread, so that other work goes on, and small ones are not', async () => {
    const { call } = await desk({ files: { 'large.yaml': specification(400), 'small.yaml': specification(3) }, plan: { import: 'bru' } });
    const threads: Worker[] = [];
    const see = (thread: Worker): void => void threads.push(thread);
    process.on('worker', see);
    try {
      for (const name of ['large', 'small']) {
        const { errors } = await call('import_openapi', { spec_source: `${name}.yaml`, output_directory: name });
        expect(errors).to.deep.equal([]);
        expect(threads, name).to.have.length(1);
      }
    } finally {
      process.off('worker', see);
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
    const started = once(process, 'worker') as Promise<[Worker]>;
    const running = rejection(
      call('import_openapi', { spec_source: 'o.yaml', output_directory: 'out' }, { signal: cancelling.signal }),
      'ABORTED',
    );
    const [thread] = await started;
    const messages: unknown[] = [];
    thread.on('message', (message) => messages.push(message));
    const ended = once(thread, 'exit');
    cancelling.abort();
    await Promise.all([running, ended]);
    expect(messages).to.deep.equal([]);
  });
});
