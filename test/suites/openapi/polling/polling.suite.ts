import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { generate } from '../rounds/generate.ts';
import { type OpenTools, openTools } from '../rounds/open-tools.ts';
import { type Receiver, startReceiver } from '../rounds/receiver.ts';

type Answer = (response: ServerResponse) => void;

const answer =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

interface Opened {
  readonly tools: OpenTools;
  readonly receiver: Receiver;
  /** Returns method and path of each request. */
  readonly requests: () => readonly string[];
}

/** Opens the tools of the document with its overlay, before a service that gives these answers in turn. */
async function openReports(answers: readonly Answer[]): Promise<Opened> {
  const remaining = [...answers];
  const receiver = await startReceiver((_request, response) =>
    (remaining.shift() ?? answer(500, { error: 'one request too many' }))(response),
  );
  const file = (name: string): string => path.join(import.meta.dirname, name);
  const { source } = await generate(file('reports.yaml'), { server: receiver.url, overlay: file('reports.overlay.yaml') });
  const tools = await openTools(source);
  return { tools, receiver, requests: () => receiver.take().map(({ method, url }) => `${method} ${url}`) };
}

describe('a generated tool that waits for its result', () => {
  let opened: Opened;

  const open = async (...answers: readonly Answer[]): Promise<void> => {
    opened = await openReports(answers);
    expect(opened.tools.problems).to.deep.equal([]);
  };

  afterEach(async () => {
    await opened.tools[Symbol.asyncDispose]();
    await opened.receiver[Symbol.asyncDispose]();
  });

  it('asks at the Location of a 202 until the answer is a 200', async () => {
    await open(
      answer(202, { state: 'queued' }, { location: '/jobs/7?part=1' }),
      answer(202, { state: 'running' }),
      answer(200, { state: 'done', rows: 12 }),
    );
    expect(await opened.tools.call('api_create_report', { kind: 'sales' })).to.deep.equal({ state: 'done', rows: 12 });
    expect(opened.requests()).to.deep.equal(['POST /reports', 'GET /jobs/7?part=1', 'GET /jobs/7?part=1']);
  });

  it('gives the first answer where it is the result', async () => {
    await open(answer(200, { state: 'done', rows: 0 }));
    expect(await opened.tools.call('api_create_report', { kind: 'sales' })).to.deep.equal({ state: 'done', rows: 0 });
    expect(opened.requests()).to.deep.equal(['POST /reports']);
  });

  it('asks at a URL with a value of the answer until the answer says so', async () => {
    await open(answer(202, { job: { id: 'a/b' } }), answer(200, { state: 'running' }), answer(200, { state: 'done', url: 'x' }));
    expect(await opened.tools.call('api_export_report', { id: '7' })).to.deep.equal({ state: 'done', url: 'x' });
    expect(opened.requests()).to.deep.equal(['POST /reports/7/export', 'GET /exports/a%2Fb', 'GET /exports/a%2Fb']);
  });

  it('fails where the work has failed, with the reason', async () => {
    await open(answer(202, { job: { id: 9 } }), answer(200, { state: 'failed', reason: 'no rows' }));
    const error = await rejection(opened.tools.call('api_export_report', { id: '7' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('no rows');
  });

  it('asks no other origin', async () => {
    await open(answer(202, {}, { location: 'http://other.example/jobs/7' }));
    await rejection(opened.tools.call('api_create_report', { kind: 'sales' }), 'OUTBOUND_BLOCKED');
    expect(opened.requests()).to.deep.equal(['POST /reports']);
  });
});
