import type { ServerResponse } from 'node:http';
import sinon from 'sinon';
import { type CallOutput, type CallRequest, type Kernel, type PluginEntry, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { limitCircuit } from '../../../plugins/limit-circuit/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { startDeadline } from '../../../tools/core/net/deadline.ts';
import { afterEach } from '../../support/after-each.ts';
import { json, loopback, type SeenRequest } from '../../support/loopback.ts';
import { testKernel } from '../../support/test-kernel.ts';

/** A status; 0 closes the connection, `wait` answers never. */
export type Answer = number | 'wait';

export interface Service {
  readonly kernel: Kernel;
  readonly url: string;
  /** As messages name it. */
  readonly host: string;
  readonly requests: readonly SeenRequest[];
  readonly records: readonly LogRecord[];
  readonly clock: sinon.SinonFakeTimers;
  /** The answer to every later request. */
  answer: Answer;
  /** The answers that wait, in order. */
  readonly waiting: ServerResponse[];
  /** Resolves when a request has come that is not answered. */
  arrived(): Promise<void>;
  call(request?: Partial<CallRequest>): Promise<CallOutput>;
}

export interface ServiceOptions {
  readonly options?: Parameters<typeof limitCircuit>[0];
  readonly definition?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
  /** In place of the guard after the circuit. */
  readonly plugins?: readonly PluginEntry[];
}

/** A service, and a kernel with the http tool `get`, which asks it, and the function tool `fetch`, which fetches any URL. The clock stands still from now on. */
export async function service({ options = {}, definition = {}, timeoutMs = 10_000_000, plugins }: ServiceOptions = {}): Promise<Service> {
  const waiting: ServerResponse[] = [];
  let arrive: () => void = () => {};
  const { url, requests } = await loopback((_request, response) => {
    if (made.answer === 0) response.destroy();
    else if (made.answer !== 'wait') json(response, { at: requests.length }, made.answer);
    else {
      waiting.push(response);
      arrive();
    }
  });
  const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const logger = memoryLogger();
  const kernel = await testKernel({
    logger,
    tools: [
      { name: 'get', description: 'Gets.', execution: { type: 'http', method: 'get', url, timeout_ms: timeoutMs }, ...definition },
      {
        name: 'fetch',
        description: 'Fetches.',
        parameters: { url: { type: 'string' }, timeout_ms: { type: 'integer' } },
        execution: {
          type: 'function',
          handler: async ({ url: given, timeout_ms: ms }: { url: string; timeout_ms?: number }, { fetch, signal }: FunctionContext) => {
            const deadline = startDeadline(signal, ms ?? timeoutMs, () => new ToolkitError('TIMEOUT', 'late', { timeoutMs: ms }));
            return (await fetch(given, { signal: deadline.signal }).finally(deadline.end)).status;
          },
        },
      },
    ],
    plugins: [executorHttp(), ...(plugins ?? [guardOutbound({ allowHosts: ['127.0.0.1', 'localhost'] }), limitCircuit(options)])],
  });
  const made: Service = {
    kernel,
    url,
    host: new URL(url).host,
    requests,
    records: logger.records,
    clock,
    answer: 200,
    waiting,
    arrived: () =>
      new Promise<void>((resolve) => {
        arrive = resolve;
      }),
    call: (request = {}) => kernel.call({ tool: 'get', ...request }),
  };
  return made;
}

/** Calls so often, whatever comes of it. */
export async function callTimes(count: number, { call }: Service): Promise<void> {
  for (let made = 0; made < count; made++) await call().catch(() => {});
}

/** A service that has answered 503 five times, and still does. */
export async function opened(options: Parameters<typeof limitCircuit>[0] = {}): Promise<Service> {
  const it = await service({ options });
  it.answer = 503;
  await callTimes(5, it);
  return it;
}

afterEach(() => sinon.restore());
