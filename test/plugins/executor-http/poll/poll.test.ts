import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { expect } from 'chai';
import { callsLong } from '../../../../plugins/calls-long/index.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { type Answer, accepted, done, pollTool, service, working } from './polling.ts';

describe('executor-http: poll', () => {
  it('asks until another status, and gives that answer', async () => {
    const made = await service({ jobs: [working, working, done] });
    const call = await pollTool(made);
    const { output, meta } = await call();
    expect(output).to.deep.equal({ status: 'done', output: { pages: 3 } });
    expect(meta).to.include({ status: 200 });
    expect(made.seen()).to.deep.equal(['POST /work', 'GET /jobs/7', 'GET /jobs/7', 'GET /jobs/7']);
    expect(made.requests[1]).to.include({ body: '' });
    expect(made.requests[1]?.headers).to.not.have.any.keys('content-type', 'content-length');
  });

  it('gives the first answer where it is the result', async () => {
    const made = await service({ work: (response) => json(response, { a: 1 }), jobs: [] });
    expect((await (await pollTool(made))()).output).to.deep.equal({ a: 1 });
    expect(made.seen()).to.deep.equal(['POST /work']);
  });

  it('counts all answers of the waiting towards the limit of one call', async () => {
    const padded: Answer = (response) => json(response, { status: 'running', log: 'x'.repeat(500) }, 202);
    const made = await service({ jobs: [padded, padded, padded, done] });
    const call = await pollTool(made, {}, { maxResponseBytes: 1200 });
    const error = await rejection(call(), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('The answers of this call are together larger than 1200 bytes');
    expect(error.details).to.include({ carriedOut: true, statusUrl: `${made.url}/jobs/7` });
    expect(made.seen()).to.have.length(4);
  });

  it('counts the answers of the waiting before the request for the result', async () => {
    const padded: Answer = (response) => json(response, { status: 'done', log: 'x'.repeat(500) });
    const large: Answer = (response) => json(response, { log: 'x'.repeat(500) });
    const made = await service({ jobs: [padded], result: large });
    const poll = { result: { url: { template: '/results/7' } } };
    expect((await (await pollTool(made, poll, { maxResponseBytes: 1200 }))()).output).to.have.property('log');
    await rejection((await pollTool(made, poll, { maxResponseBytes: 900 }))(), 'OUTPUT_TOO_LARGE');
  });

  it('follows the redirect by which a service says that it is ready', async () => {
    const made = await service({ jobs: [working, (response) => void response.writeHead(303, { location: '/results/7' }).end()] });
    expect((await (await pollTool(made))()).output).to.deep.equal({ status: 'done', output: { pages: 3 } });
    expect(made.seen().slice(-2)).to.deep.equal(['GET /jobs/7', 'GET /results/7']);
  });

  const urls: readonly { what: string; poll: object; work: object; asks: string; parameters?: object; execution?: object }[] = [
    {
      what: 'a path of the answer',
      poll: { url: { path: 'links.status' } },
      work: { links: { status: '/jobs/8?a=1#x' } },
      asks: '/jobs/8?a=1',
    },
    { what: 'a relative path of the answer', poll: { url: { path: 'next' } }, work: { next: 'jobs/8' }, asks: '/jobs/8' },
    {
      what: 'a template with values of the answer and parameters',
      poll: { url: { template: '/jobs/{job}?for={who}', answer: { job: 'data.0.id' } } },
      work: { data: [{ id: 'a/b ?' }] },
      parameters: { who: 'Ann & Bo' },
      execution: { body: { who: '{who}' } },
      asks: '/jobs/a%2Fb%20%3F?for=Ann%20%26%20Bo',
    },
    { what: 'a URL with braces', poll: { url: { path: 'next' } }, work: { next: '/jobs/8?q={who}' }, asks: '/jobs/8?q={who}' },
    {
      what: 'a template with a number beyond 2^53',
      poll: { url: { template: '/jobs/{job}', answer: { job: 'id' } } },
      work: { id: '9007199254740993' },
      asks: '/jobs/9007199254740993',
    },
  ];
  for (const { what, poll, work, asks, parameters = {}, execution = {} } of urls)
    it(`finds the URL by ${what}`, async () => {
      const made = await service({ work: (response) => json(response, work, 202), jobs: [done] });
      await (await pollTool(made, poll, { execution }))(parameters as Record<string, unknown>);
      expect(made.seen()).to.deep.equal(['POST /work', `GET ${asks}`]);
    });

  const state =
    (status: string, more: object = {}) =>
    (response: ServerResponse) =>
      json(response, { status, ...more });
  it('looks at a value of each answer, the first one too', async () => {
    const poll = { status: [200, 201], until: { path: 'status', one_of: ['done', 'partly'] } };
    const made = await service({
      work: (response) => json(response, { status: 'new' }, 201, { location: '/jobs/7' }),
      jobs: [state('new'), state('partly')],
    });
    expect((await (await pollTool(made, poll))()).output).to.deep.equal({ status: 'partly' });
    expect(made.seen()).to.have.length(3);
    const quick = await service({ work: (response) => json(response, { status: 'done' }, 201), jobs: [] });
    expect((await (await pollTool(quick, poll))()).output).to.deep.equal({ status: 'done' });
  });

  it('fails with the message of work that has failed', async () => {
    const failed = { path: 'status', one_of: ['failed', 'cancelled'], message_path: 'error.text' };
    const made = await service({ jobs: [working, state('failed', { error: { text: 'No paper left.' } })] });
    const error = await rejection((await pollTool(made, { failed, until: { status: 200 } }))(), 'EXECUTION_FAILED');
    expect(error.message).to.equal('The service began the work of "probe" and could not do it. It says: No paper left.');
    expect(error.details).to.deep.include({ status: 200, providerMessage: 'No paper left.' }).and.not.have.property('carriedOut');
  });

  it('gives a part of the last answer', async () => {
    const made = await service({ jobs: [done] });
    expect((await (await pollTool(made, { result: { path: 'output' } }))()).output).to.deep.equal({ pages: 3 });
    const call = await pollTool(made, { result: { path: 'nothing' } });
    const error = await rejection(call(), 'OUTPUT_INVALID');
    expect(error.message).to.include('has nothing at "nothing"');
    expect(error.details).to.deep.include({ carriedOut: true, output: { status: 'done', output: { pages: 3 } } });
  });

  it('gives the answer of another URL, shaped and with its headers', async () => {
    const made = await service({
      jobs: [working, (response) => json(response, { links: { file: '/results/7' } })],
      result: (response) => json(response, { a: [1] }, 200, { etag: 'e' }),
    });
    const definition = { select: 'a', output_headers: ['ETag'] };
    const call = await pollTool(made, { result: { url: { path: 'links.file' } } }, { definition });
    expect((await call()).output).to.deep.equal({ headers: { etag: 'e' }, body: [1] });
    expect(made.seen().at(-1)).to.equal('GET /results/7');
  });

  for (const [what, poll] of [
    ['the last answer', {}],
    ['another URL', { until: { path: 'status', equals: 'done' }, result: { url: { template: '/results/{id}', answer: { id: 'id' } } } }],
  ] as const)
    it(`saves the answer that has the result, from ${what}, and none before`, async () => {
      const folder = await temporaryFolder();
      const made = await service({
        jobs: [working, (response) => json(response, { status: 'done', id: 7 })],
        result: (response) => void response.end('whole'),
      });
      const call = await pollTool(made, poll, {
        parameters: { file: { type: 'string', path: 'write' } },
        definition: { save_to: { parameter: 'file' }, annotations: { readOnlyHint: false } },
        roots: [folder],
      });
      expect((await call({ file: 'a.txt' })).output).to.deep.include({ path: path.join(folder, 'a.txt') });
      expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).to.equal(what === 'another URL' ? 'whole' : '{"status":"done","id":7}');
    });

  it('reports each wait, with what the service says', async () => {
    const made = await service({ jobs: [state('running'), state('done')] });
    const reported: unknown[] = [];
    const call = await pollTool(made, { status: [200, 202], until: { path: 'status', equals: 'done' } });
    await call({}, { onProgress: (progress) => reported.push(progress) });
    expect(reported).to.deep.equal([
      { progress: 0, message: 'no result yet (queued), asked 0 times' },
      { progress: 1, message: 'no result yet (running), asked 1 time' },
    ]);
  });

  it('ends at once where the service asks for a longer wait than there is time for', async () => {
    const waits: unknown[] = [];
    const call = await pollTool(
      await service({
        work: (response) => json(response, {}, 202, { location: '/jobs/7', 'retry-after': '0' }),
        jobs: [(response) => json(response, {}, 202, { 'retry-after': '3600' })],
      }),
      { every_ms: 2, max_ms: 3_000_000 },
      { execution: { timeout_ms: 4_000_000 } },
    );
    const error = await rejection(call({}, { onProgress: ({ progress }) => waits.push(progress) }), 'TIMEOUT');
    expect(error.details).to.include({ retryAfterMs: 3_600_000 });
    expect(waits).to.deep.equal([0]);
  });

  it('ends at its limit with the last answer and the place of its status', async () => {
    const made = await service({ jobs: [(response) => json(response, { status: 'running', share: 0.5 }, 202, { 'retry-after': '9' })] });
    const call = await pollTool(made, { max_ms: 5000, failed: { path: 'status', equals: 'failed' } });
    const error = await rejection(call(), 'TIMEOUT');
    expect(error.message).to.equal(
      `It was carried out (status 202); do not call it again. The service has no result of "probe" within 5000 ms: it answered 202 (running) after 1 question. It goes on there: ${made.url}/jobs/7 says how far it is.`,
    );
    expect(error.details).to.deep.include({
      carriedOut: true,
      retryable: false,
      output: { status: 'running', share: 0.5 },
      statusUrl: `${made.url}/jobs/7`,
      retryAfterMs: 9000,
    });
  });

  for (const [what, location] of [
    ['a query with a signature', '/jobs/7?X-Signature=abc&a=1'],
    ['a credential in its path', '/jobs/the-api-key-7'],
  ] as const)
    it(`shows no URL with ${what}`, async () => {
      const made = await service({
        work: (response) => json(response, {}, 202, { location, 'retry-after': '9' }),
        jobs: [working],
      });
      const call = await pollTool(
        made,
        { max_ms: 5000 },
        { env: { API_KEY: 'the-api-key-7' }, execution: { headers: { 'X-Key': '{API_KEY}' } } },
      );
      const error = await rejection(call(), 'TIMEOUT');
      expect(JSON.stringify([error.message, error.details]))
        .to.not.include('abc')
        .and.not.include('the-api-key');
    });

  it('is ended at once by an abort, and asks no more', async () => {
    const made = await service({ jobs: [working] });
    const controller = new AbortController();
    const call = await pollTool(made, { every_ms: 3_000_000, max_ms: 3_100_000 }, { execution: { timeout_ms: 3_200_000 } });
    await rejection(call({}, { signal: controller.signal, onProgress: () => controller.abort() }), 'ABORTED');
    expect(made.seen()).to.deep.equal(['POST /work']);
  });

  it('is ended by the time limit of the call', async () => {
    const made = await service({ jobs: [() => {}] });
    const call = await pollTool(made, {}, { execution: { timeout_ms: 20 } });
    await rejection(call(), 'TIMEOUT');
  });

  it('lets a client take the result of a long tool later', async () => {
    const events: string[] = [];
    const made = await service({ jobs: [working, done] });
    const call = await pollTool(made, {}, { definition: { long: true }, plugins: [callsLong()] });
    const { output } = await call({}, { origin: 'model', client: { later: () => void events.push('later') } });
    expect(output).to.deep.equal({ status: 'done', output: { pages: 3 } });
    expect(events).to.deep.equal(['later']);
  });

  describe('when the service fails', () => {
    const fails = (status: number) => (response: ServerResponse) => json(response, { message: 'Busy.' }, status);

    it('goes on after two failures in a row, with the wait that they ask for', async () => {
      const made = await service({ jobs: [fails(503), fails(429), working, fails(500), done] });
      expect((await (await pollTool(made))()).output).to.deep.include({ status: 'done' });
      expect(made.seen()).to.have.length(6);
    });

    for (const [status, code, count] of [
      [503, 'UPSTREAM_UNAVAILABLE', 3],
      [404, 'NOT_FOUND', 1],
      [400, 'BAD_REQUEST', 1],
    ] as const)
      it(`ends with ${code}, and says that the work was accepted`, async () => {
        const made = await service({ jobs: [fails(status)] });
        const error = await rejection((await pollTool(made))(), code);
        expect(made.seen()).to.have.length(1 + count);
        expect(error.message).to.include('It says: Busy').and.include('The service had accepted the work before');
        expect(error.message).to.include('It was carried out (status 202); do not call it again.');
        expect(error.details).to.deep.include({ carriedOut: true, status: 202, polledStatus: status, statusUrl: `${made.url}/jobs/7` });
      });

    it('says that the work was accepted where its result cannot be read', async () => {
      const made = await service({ jobs: [done], result: (response) => json(response, {}, 410) });
      const error = await rejection((await pollTool(made, { result: { url: { template: '/results/7' } } }))(), 'NOT_FOUND');
      expect(error.details).to.include({ carriedOut: true, status: 202, polledStatus: 410, statusUrl: `${made.url}/results/7` });
    });

    it('is not said to be carried out by a tool that only reads', async () => {
      const made = await service({ jobs: [fails(404)] });
      const call = await pollTool(made, {}, { execution: { method: 'get', body: undefined } });
      expect((await rejection(call(), 'NOT_FOUND')).details).to.not.have.property('carriedOut');
    });

    const without: readonly { what: string; work: Answer; poll?: object; says: string }[] = [
      {
        what: 'no header',
        work: (response) => json(response, {}, 202),
        says: 'expected a URL in the header Location of the answer, received none',
      },
      {
        what: 'no path',
        work: accepted,
        poll: { url: { path: 'links.self' } },
        says: 'expected a URL at "links.self" of the answer, received none',
      },
      { what: 'a number for a URL', work: accepted, poll: { url: { path: 'id' } }, says: 'expected a URL at "id"' },
      {
        what: 'no value of a template',
        work: accepted,
        poll: { url: { template: '/jobs/{a}', answer: { a: 'b' } } },
        says: 'expected a text or a number at "b" of the answer, received none',
      },
      {
        what: 'a value that would leave its segment',
        work: (response) => json(response, { id: '..' }, 202),
        poll: { url: { template: '/jobs/{a}/x', answer: { a: 'id' } } },
        says: 'expected a value in the answer that may stand in /jobs/{a}/x',
      },
      { what: 'a member of every object', work: accepted, poll: { url: { path: 'constructor.name' } }, says: 'received none' },
      {
        what: 'a user name in the URL',
        work: (response) => json(response, {}, 202, { location: '//ann:pw@127.0.0.1/' }),
        says: 'expected a URL without user name and password',
      },
    ];
    for (const { what, work, poll = {}, says } of without)
      it(`says what is missing: ${what}`, async () => {
        const made = await service({ work, jobs: [done] });
        const error = await rejection((await pollTool(made, poll))(), 'EXECUTION_FAILED');
        expect(error.message).to.include(says);
        expect(error.details).to.include({ carriedOut: true });
        expect(made.seen()).to.have.length(1);
      });
  });
});

describe('executor-http: poll, and credentials', () => {
  const env = { API_TOKEN: 'secret-token', API_KEY: 'secret-key' };
  const secretive = {
    env,
    execution: {
      headers: { 'X-Api-Key': '{API_KEY}', 'X-Trace': 't1', 'If-Match': 'v1' },
      auth: { type: 'bearer', token: '{API_TOKEN}' },
    },
  };

  it('sends them to the origin of the first request', async () => {
    const made = await service({ jobs: [done] });
    await (await pollTool(made, {}, secretive))();
    expect(made.requests[1]?.headers).to.include({ authorization: 'Bearer secret-token', 'x-api-key': 'secret-key', 'x-trace': 't1' });
    expect(made.requests[1]?.headers).to.not.have.property('if-match');
  });

  it('sends those of the query with each request, and shows no URL with them', async () => {
    const made = await service({ jobs: [working, (response) => json(response, {}, 404)] });
    const call = await pollTool(made, {}, { env, execution: { auth: { type: 'query', name: 'key', value: '{API_KEY}' } } });
    const error = await rejection(call(), 'NOT_FOUND');
    expect(made.seen()).to.deep.equal(['POST /work?key=secret-key', 'GET /jobs/7?key=secret-key', 'GET /jobs/7?key=secret-key']);
    expect(error.details).to.include({ statusUrl: `${made.url}/jobs/7` });
  });

  it('sends no form with the field of the authentication', async () => {
    const made = await service({ jobs: [done] });
    await (
      await pollTool(
        made,
        {},
        { env, execution: { body: undefined, form: { a: 'b' }, auth: { type: 'form', name: 'key', value: '{API_KEY}' } } },
      )
    )();
    expect(made.requests[0]?.body).to.equal('a=b&key=secret-key');
    expect(made.requests[1]).to.include({ body: '' });
    expect(made.requests[1]?.headers).to.not.have.property('content-type');
  });

  it('follows no URL of another origin', async () => {
    const elsewhere = await loopback((_request, response) => json(response, {}));
    const made = await service({ work: (response) => json(response, {}, 202, { location: `${elsewhere.url}/jobs/7` }), jobs: [] });
    const error = await rejection((await pollTool(made, {}, { ...secretive, allow: ['127.0.0.1'] }))(), 'OUTBOUND_BLOCKED');
    expect(error.message).to.include(`leads to ${elsewhere.url}, which was not followed`).and.include('poll.origins');
    expect(elsewhere.requests).to.deep.equal([]);
  });

  it('sends none to another origin that the definition names', async () => {
    const elsewhere = await loopback((_request, response) => json(response, { elsewhere: true }));
    const made = await service({ work: (response) => json(response, {}, 202, { location: `${elsewhere.url}/jobs/7` }), jobs: [] });
    const call = await pollTool(made, { origins: [elsewhere.url] }, { ...secretive, allow: ['127.0.0.1'] });
    expect((await call()).output).to.deep.equal({ elsewhere: true });
    expect(elsewhere.requests[0]?.headers).to.include({ 'x-trace': 't1' }).and.not.have.any.keys('authorization', 'x-api-key');
    expect(JSON.stringify(elsewhere.requests)).to.not.include('secret');
  });
});
