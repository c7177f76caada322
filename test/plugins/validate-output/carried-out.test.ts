import { mkdtemp, realpath, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, createKernel, definePlugin, type Kernel, type ToolkitError } from '../../../kernel/index.ts';
import { auditTrail } from '../../../plugins/audit-trail/index.ts';
import { callsLong } from '../../../plugins/calls-long/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../../plugins/validate-output/index.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { writeFiles } from '../../support/temporary.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { recordsIn } from '../audit-trail/audited.ts';
import { connect, failure } from '../mcp/support/client.ts';
import { drivers } from '../shared/model-tools/drivers.ts';

const schema = { type: 'object', properties: { id: { type: 'string' }, message: { type: 'string' } }, required: ['id', 'message'] };
const lacking = { id: 'n-7' };
const lackingText = JSON.stringify(lacking);

type Execution = (url: string) => Readonly<Record<string, unknown>>;

interface Row {
  readonly what: string;
  readonly execution: Execution;
  /** Words of the message beside those that it was carried out. */
  readonly says: RegExp;
  readonly status?: number;
  /** The error has the answer. */
  readonly hasAnswer: boolean;
  readonly more?: Readonly<Record<string, unknown>>;
}

const misses = /^It was carried out(?: \(status \d+\))?; do not call it again\. Its answer misses `message`/;

const post =
  (route: string): Execution =>
  (url) => ({ type: 'http', method: 'post', url: `${url}/${route}`, body: { text: '{text}' } });

/** Answers of a service that has done what it was asked. */
const routes: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/misfit': (response) => json(response, lacking),
  '/created': (response) => json(response, lacking, 201),
  '/broken': (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "n-7", '),
  '/cut': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"id"', () => response.destroy());
  },
  '/large': (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(200_000)),
  '/ruled': (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok": tr'),
};

const writesJson = `process.stdout.write(${JSON.stringify(lackingText)})`;

const rows: readonly Row[] = [
  { what: 'http', execution: post('misfit'), says: misses, status: 200, hasAnswer: true },
  { what: 'http, status 201', execution: post('created'), says: misses, status: 201, hasAnswer: true, more: { long: true } },
  { what: 'http, JSON that does not parse', execution: post('broken'), says: /do not parse as JSON/, status: 200, hasAnswer: false },
  { what: 'http, a body that was cut off', execution: post('cut'), says: /no whole answer/, status: 200, hasAnswer: false },
  { what: 'http, an answer that is too large', execution: post('large'), says: /larger than 100000 bytes/, status: 200, hasAnswer: false },
  {
    what: 'a command',
    execution: () => ({ type: 'command', command: 'node', args: ['-e', writesJson], parse: 'json' }),
    says: misses,
    hasAnswer: true,
  },
  {
    what: 'a command that prints no JSON',
    execution: () => ({ type: 'command', command: 'node', args: ['-e', 'process.stdout.write("done")'], parse: 'json' }),
    says: /should print JSON/,
    hasAnswer: false,
  },
  { what: 'a function', execution: () => ({ type: 'function', code: './it.mjs#lacking' }), says: misses, hasAnswer: true },
  {
    what: 'a function that returns a Map',
    execution: () => ({ type: 'function', code: './it.mjs#map' }),
    says: /received a Map/,
    hasAnswer: false,
  },
  {
    what: 'a function that returns nothing',
    execution: () => ({ type: 'function', code: './it.mjs#nothing' }),
    says: /returned nothing/,
    hasAnswer: false,
  },
  {
    what: 'a function in a thread',
    execution: () => ({ type: 'function', code: './it.mjs#lacking', worker: true }),
    says: misses,
    hasAnswer: true,
  },
  {
    what: 'a thread that returns a Map',
    execution: () => ({ type: 'function', code: './it.mjs#map', worker: true }),
    says: /received a Map/,
    hasAnswer: false,
  },
  {
    what: 'a function in a process',
    execution: () => ({ type: 'function', code: './it.mjs#lacking', worker: 'process' }),
    says: misses,
    hasAnswer: true,
  },
  { what: 'Python', execution: () => ({ type: 'function', code: './it.py#lacking' }), says: misses, hasAnswer: true },
];

const handlers = {
  'it.mjs': [
    `export const lacking = () => (${lackingText});`,
    'export const map = () => ({ id: new Map() });',
    'export const nothing = () => undefined;',
  ].join('\n'),
  'it.py': `def lacking(params, context):\n    return ${lackingText}\n`,
};

const nameOf = (what: string): string => what.replaceAll(/\W+/g, '_');

describe('a call with effect whose answer does not fit', () => {
  // Without "npm test", the sources are compiled for processes and threads by the first test that needs them.
  let folder: string;
  let kernel: Kernel;
  let url: string;
  let close: () => Promise<void>;
  let runs: string[];

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-')));
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      request.resume().on('end', () => (routes[request.url ?? ''] ?? routes['/misfit'])?.(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const definitions = rows.map(({ what, execution, more }) => [
      `${nameOf(what)}.yaml`,
      JSON.stringify({
        name: nameOf(what),
        description: `Does it: ${what}.`,
        parameters: { text: { type: 'string' } },
        execution: execution(url),
        output_schema: schema,
        annotations: { readOnlyHint: false },
        ...more,
      }),
    ]);
    await writeFiles(folder, { ...handlers, ...Object.fromEntries(definitions) });
    const counter = definePlugin({
      name: 'counter',
      apiVersion,
      apply: ({ hooks }) => hooks.execute.for('*').tap({ name: 'counter', stage: 5000 }, ({ tool }) => void runs.push(tool.name)),
    });
    kernel = await createKernel({
      plugins: [
        executorHttp({ maxResponseBytes: 100_000 }),
        guardOutbound(),
        executorCommand(),
        executorFunction(),
        validateOutput(),
        callsOnce(),
        engineLocal(),
        callsLong(),
        auditTrail({ path: path.join(folder, 'trail.jsonl') }),
        counter(),
        toolFiles({ toolPaths: [folder] }),
      ],
      logger: memoryLogger(),
    });
    close = async () => {
      await kernel.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    };
  });
  after(() => close());
  beforeEach(() => {
    runs = [];
  });

  const holds = (error: Pick<ToolkitError, 'message' | 'details' | 'retryable'>, { says, status, hasAnswer }: Row): void => {
    expect(error.message).to.match(says);
    expect(error.message).to.include(`It was carried out${status === undefined ? '' : ` (status ${status})`}; do not call it again.`);
    expect(error.details).to.include({ carriedOut: true, ...(status === undefined ? {} : { status }) });
    expect(error.retryable).to.equal(false);
    expect(error.details['output']).to.deep.equal(hasAnswer ? lacking : undefined);
  };
  const thrown = (promise: Promise<unknown>): Promise<ToolkitError> =>
    promise.then(
      (output) => Promise.reject(new Error(`expected a failure, received ${JSON.stringify(output)}`)),
      (error: ToolkitError) => error,
    );

  for (const row of rows) {
    const tool = nameOf(row.what);

    it(`is told as done to host code and in the trail: ${row.what}`, async () => {
      holds(await thrown(kernel.execute(tool, { text: 'a' })), row);
      expect(runs).to.deep.equal([tool]);
      const record = (await recordsIn(path.join(folder, 'trail.jsonl'))).findLast(
        (one) => one['tool'] === tool && one['event'] === undefined,
      );
      expect(record).to.include({ outcome: 'completed', executed: true, ...(row.status === undefined ? {} : { status: row.status }) });
      expect(record?.['no_result']).to.match(/^(OUTPUT_INVALID|OUTPUT_TOO_LARGE|UPSTREAM_UNAVAILABLE)$/);
    });

    it(`is told so again to a call of the same name, and made once: ${row.what}`, async () => {
      const first = await thrown(kernel.execute(tool, { text: 'a' }, { once: `once ${tool}` }));
      const second = await thrown(kernel.execute(tool, { text: 'a' }, { once: `once ${tool}` }));
      expect(runs).to.deep.equal([tool]);
      holds(second, row);
      expect([second.code, second.message]).to.deep.equal([first.code, first.message]);
    });

    it(`is completed as a durable call: ${row.what}`, async () => {
      const handle = await kernel.execute(tool, { text: 'a' }, { durable: true, id: `durable ${tool}` });
      holds(await thrown(handle.result()), row);
      expect(await handle.status()).to.equal('completed');
      expect(runs).to.deep.equal([tool]);
      await rejection(kernel.calls.retry(`durable ${tool}`), 'INVALID_PARAMETERS');
    });

    it(`is told so over MCP, without structured content: ${row.what}`, async () => {
      const { call } = await connect(kernel);
      const result = await call(tool, { text: 'a' });
      expect(result.isError).to.equal(true);
      expect(result).to.not.have.property('structuredContent');
      const error = result._meta?.['toolkit/error'] as Record<string, unknown>;
      const output = row.hasAnswer ? lacking : undefined;
      holds({ message: String(error['message']), retryable: error['retryable'] === true, details: { ...error, output } }, row);
      const text = result.content[0]?.type === 'text' ? result.content[0].text : '';
      expect(text).to.match(/do not call it again/);
      expect(text.includes(`Its answer:\n${lackingText}`)).to.equal(row.hasAnswer);
      expect(text).to.not.include('output_schema.\nCorrect');
      expect(runs).to.deep.equal([tool]);
    });
  }

  for (const [framework, open] of Object.entries(drivers)) {
    it(`is told so to the model of ${framework}, with the answer`, async () => {
      const { text } = await open(kernel).call('http', { text: 'a' });
      expect(text).to.include('It was carried out (status 200); do not call it again. Its answer misses `message`').and.include('n-7');
      expect(text).to.not.include('Correct the tool');
      expect(runs).to.deep.equal(['http']);
    });
  }
});

describe('the answer of a call that does not fit', () => {
  const reader = (output: unknown): Record<string, unknown> =>
    echoTool({ execution: { type: 'function', handler: () => output }, output_schema: schema });

  it('is given by a tool that only reads, with advice for who reads it', async () => {
    const kernel = await testKernel({ tools: [reader(lacking)] });
    const error = await rejection(kernel.execute('echo'), 'OUTPUT_INVALID');
    expect(error.details).to.deep.include({ output: lacking }).and.not.have.property('carriedOut');
    expect(error.message).to.match(/Correct the tool or its output_schema\.$/);
    const result = await (await connect(kernel)).call('echo');
    expect(failure(result, 'OUTPUT_INVALID')).to.not.have.property('carriedOut');
    const text = result.content[0]?.type === 'text' ? result.content[0].text : '';
    expect(text).to.include(lackingText).and.not.include('Correct the tool');
  });

  it('is given by its beginning where it is large, secrets masked before it is cut', async () => {
    const secret = 'value-of-shop-token-0815';
    const long = { id: 'a'.repeat(19_980) + secret, rest: Array.from({ length: 5000 }, (_, n) => n) };
    const tool = echoTool({
      execution: { type: 'function', handler: () => long },
      output_schema: schema,
      secrets: ['SHOP_TOKEN'],
    });
    const kernel = await testKernel({ tools: [tool], secrets: { SHOP_TOKEN: secret } });
    const error = await rejection(kernel.execute('echo'), 'OUTPUT_INVALID');
    expect(error.details).to.not.have.property('output');
    expect(error.details['outputStart']).to.have.length(20_000);
    expect(error.details['outputStart']).to.include('a[secret').and.not.include('value-of');
    const result = await (await connect(kernel)).call('echo');
    expect(JSON.stringify(result).length).to.be.lessThan(12_000);
  });

  it('has passed what other plugins redact, also those that come after the check', async () => {
    const redacts = definePlugin({
      name: 'redacts',
      apiVersion,
      apply: ({ hooks }) => hooks.validateOutput.tap('redacts', (result) => ({ ...result, output: { id: '[redacted]' } })),
    });
    const kernel = await testKernel({ tools: [reader(lacking)], plugins: [redacts()] });
    const error = await rejection(kernel.execute('echo'), 'OUTPUT_INVALID');
    expect(error.details['output']).to.deep.equal({ id: '[redacted]' });
  });

  it('is not told as done where only the answer says whether it was', async () => {
    const { url } = await loopback((_request, response) => routes['/ruled']?.(response));
    const definition = { type: 'http', method: 'post', url, body: {} };
    const tool = {
      name: 'post',
      description: 'Posts.',
      execution: definition,
      error_when: { path: 'ok', equals: false },
      output_schema: schema,
    };
    const kernel = await testKernel({ tools: [tool], plugins: [executorHttp(), guardOutbound()] });
    const error = await rejection(kernel.execute('post'), 'OUTPUT_INVALID');
    expect(error.details['carriedOut']).to.not.equal(true);
    expect(error.message).to.not.include('carried out');
  });

  it('is given as it is where the definition says output_check: warn, and no schema is promised of it', async () => {
    const logger = memoryLogger();
    const kernel = await testKernel({ tools: [{ ...reader(lacking), risk: 'medium', output_check: 'warn' }], logger });
    expect(await kernel.execute('echo')).to.deep.equal(lacking);
    expect(logger.records.map(({ message }) => message).join()).to.include('does not match its output_schema: message is required');
    const { client, call } = await connect(kernel);
    expect((await client.listTools()).tools[0]).to.not.have.property('outputSchema');
    const result = await call('echo');
    expect(result).to.not.have.property('isError');
    expect(result).to.not.have.property('structuredContent');
    expect(result.content).to.deep.equal([{ type: 'text', text: JSON.stringify(lacking) }]);
  });
});
