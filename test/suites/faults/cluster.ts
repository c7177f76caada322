import { createKernel, type DurableCall, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { engineBullmq } from '../../../plugins/engine-bullmq/index.ts';
import { storePostgres } from '../../../plugins/store-postgres/index.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { compiled } from '../../support/compiled.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { foldersForFile, temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { RealServer } from '../postgres/server.ts';
import { Service } from './service.ts';
import { toolFiles } from './tools.ts';
import { type WorkerOptions, WorkerProcess } from './worker-process.ts';

/** A database, a service, a host that submits durable calls, and workers that run them. Each process has a proxy of its own before the database. */
export class Cluster {
  readonly server: RealServer;
  readonly service: Service;
  readonly host: Kernel;
  readonly hostProxy: FaultProxy;
  readonly workers: WorkerProcess[] = [];
  readonly #options: WorkerOptions;

  private constructor(server: RealServer, service: Service, host: Kernel, hostProxy: FaultProxy, options: WorkerOptions) {
    this.server = server;
    this.service = service;
    this.host = host;
    this.hostProxy = hostProxy;
    this.#options = options;
  }

  /** Starts everything but the workers. Call in `before`. */
  static async start(): Promise<Cluster> {
    const server = await RealServer.start();
    const service = new Service();
    const url = await service.start();
    const tools = await foldersForFile(() => temporaryFolder(toolFiles(url)));
    const database = await server.makeDatabase();
    const hostProxy = await FaultProxy.open(server.address);
    const host = await createHost(tools, hostProxy.urlOf(database));
    const program = await compiled('test/suites/faults/worker.ts');
    return new Cluster(server, service, host, hostProxy, { program, tools, database, target: server.address });
  }

  get database(): string {
    return this.#options.database;
  }

  /** Proxies of all processes. */
  get proxies(): readonly FaultProxy[] {
    return [this.hostProxy, ...this.workers.map(({ proxy }) => proxy)];
  }

  /** Starts workers beside those that run. Resolves to the new ones when they serve. */
  async add(count: number, more: Pick<WorkerOptions, 'concurrency' | 'env'> = {}): Promise<readonly WorkerProcess[]> {
    const added = await Promise.all(Array.from({ length: count }, () => WorkerProcess.start({ ...this.#options, ...more })));
    this.workers.push(...added);
    return added;
  }

  /** Kills a worker and closes its proxy. */
  async remove(worker: WorkerProcess): Promise<void> {
    this.workers.splice(this.workers.indexOf(worker), 1);
    await worker.close();
  }

  /** Returns the worker that runs this call. */
  workerOf(name: string): WorkerProcess {
    const worker = this.workers.find(({ running }) => running.has(name));
    if (worker === undefined) throw new Error(`No worker runs "${name}".`);
    return worker;
  }

  /** Submits a durable call, again and again while the store is away. The id is the parameter `name`. */
  async submit(tool: string, id: string): Promise<void> {
    await this.#patiently(() => this.host.execute(tool, { name: id }, { durable: true, id }));
  }

  /** Resolves to the status with which the call has ended, or to the first of these statuses. */
  async statusOf(id: string, statuses: readonly string[] = ['completed', 'failed', 'cancelled', 'unknown']): Promise<string> {
    return until(async () => {
      const { status } = await this.call(id);
      return statuses.includes(status) ? status : undefined;
    });
  }

  /** Returns the call as it is now. */
  call(id: string): Promise<DurableCall> {
    return this.#patiently(async () => (await this.host.calls.get(id)).call());
  }

  /** Prints the logs of the workers where the test has failed. Call in `afterEach`. */
  printLogs(test: { readonly state?: string | undefined } | undefined): void {
    if (test?.state !== 'failed') return;
    for (const [index, { log }] of this.workers.entries())
      process.stdout.write(`      worker ${index}\n        ${log.join('\n        ')}\n`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.proxies.map((proxy) => proxy.pass()));
    await Promise.all(this.workers.splice(0).map((worker) => worker.close()));
    this.service.stop();
    // A statement that waits for ever must not keep the host from closing.
    this.hostProxy.cut();
    await this.host.close();
    await this.hostProxy.close();
    await this.server.undo();
    await this.server.stop();
  }

  #patiently<T>(work: () => Promise<T>): Promise<T> {
    return until(async () => {
      try {
        return await work();
      } catch (error) {
        if (ToolkitError.is(error) && error.code === 'STATE_UNAVAILABLE') return undefined;
        throw error;
      }
    });
  }
}

function createHost(tools: string, url: string): Promise<Kernel> {
  return createKernel({
    logger: memoryLogger(),
    plugins: [
      standard({ toolPaths: [tools], includeCore: false, autoDiscover: false, allowHosts: ['127.0.0.1'] }),
      storePostgres({ url }),
      engineBullmq({ url, concurrency: 0 }),
    ],
  });
}
