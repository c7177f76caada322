import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel, type PluginEntry } from '../../../kernel/index.ts';
import { callsEndpoints } from '../../../plugins/console/endpoints/calls.ts';
import type { ConsoleServices, EndpointRequest } from '../../../plugins/console/endpoints/endpoint.ts';
import { toolsEndpoints } from '../../../plugins/console/endpoints/tools.ts';
import { CallsLog } from '../../../plugins/console/feed/calls.ts';
import type { CallDetails, CallsPage } from '../../../plugins/console/wire/calls.ts';
import type { FormAnswer, FormCall } from '../../../plugins/console/wire/tools.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { testKernel } from '../../support/test-kernel.ts';

/** A kernel whose calls the console watches, and its endpoints. */
export class Watched {
  readonly kernel: Kernel;
  readonly log: CallsLog;
  readonly #services: ConsoleServices;

  private constructor(kernel: Kernel, log: CallsLog, now: () => number) {
    this.kernel = kernel;
    this.log = log;
    this.#services = { kernel, logger: memoryLogger(), now, calls: log };
  }

  static async open({
    tools = [],
    plugins = [],
    secrets,
    onChange = () => {},
    now = Date.now,
  }: {
    readonly tools?: readonly unknown[];
    readonly plugins?: readonly PluginEntry[];
    readonly secrets?: Readonly<Record<string, string>>;
    readonly onChange?: () => void;
    readonly now?: () => number;
  } = {}): Promise<Watched> {
    const log = new CallsLog({ now, onChange });
    const watching = definePlugin({ name: 'console', apiVersion, apply: ({ hooks }) => log.tap(hooks) });
    // Last in the configuration: its taps are first by their stage alone.
    const kernel = await testKernel({ tools, plugins: [...plugins, watching()], ...(secrets === undefined ? {} : { secrets }) });
    return new Watched(kernel, log, now);
  }

  /** Answers a request of `ann`, as the console does. */
  async ask(method: 'GET' | 'POST', path: string, request: Partial<EndpointRequest> = {}): Promise<unknown> {
    const endpoint = [...callsEndpoints, ...toolsEndpoints].find((known) => known.method === method && known.path === path);
    const given = {
      by: { way: 'console', name: 'ann' },
      values: {},
      query: new URLSearchParams(),
      body: undefined,
      signal: new AbortController().signal,
    };
    const answer = await (endpoint ?? expect.fail(`no endpoint ${path}`)).answer({ ...given, ...request }, this.#services);
    // It is sent as JSON.
    return JSON.parse(JSON.stringify(answer));
  }

  async calls(query: Readonly<Record<string, string>> = {}): Promise<CallsPage> {
    return (await this.ask('GET', 'calls', { query: new URLSearchParams(query) })) as CallsPage;
  }

  async call(id: string): Promise<CallDetails> {
    return (await this.ask('GET', 'calls/{id}', { values: { id } })) as CallDetails;
  }

  async form(name: string, body: FormCall, signal?: AbortSignal): Promise<FormAnswer> {
    const request = { values: { name }, body, ...(signal === undefined ? {} : { signal }) };
    return (await this.ask('POST', 'tools/{name}/call', request)) as FormAnswer;
  }
}
