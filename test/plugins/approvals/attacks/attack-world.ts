import path from 'node:path';
import sinon from 'sinon';
import {
  type ApprovalEvent,
  type ApprovalRecord,
  apiVersion,
  type CallEnd,
  type CallRequest,
  definePlugin,
  type JsonValue,
  type Kernel,
  type PluginEntry,
  type StateStore,
} from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { type ApprovalGateOptions, approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { type ApprovalsOptions, approvals } from '../../../../plugins/approvals/index.ts';
import { callsOnce } from '../../../../plugins/calls-once/index.ts';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorFunction } from '../../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { guardCode } from '../../../../plugins/guard-code/index.ts';
import { guardOutbound } from '../../../../plugins/guard-outbound/index.ts';
import { mcp } from '../../../../plugins/mcp/index.ts';
import { policyRules } from '../../../../plugins/policy-rules/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { toolFiles } from '../../../../plugins/tool-files/index.ts';
import { type LogRecord, memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../../../plugins/validate-output/index.ts';
import { afterEach } from '../../../support/after-each.ts';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import { temporaryFolder, writeFiles } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';
import { quietly, token } from '../../mcp/support/wire.ts';
import { toolsOf } from './attack-tools.ts';

/** A key of the host, of which the sealed records are made. */
const hostKey = 'a host key of the attacks, of more than 32 bytes';

export interface WorldOptions {
  readonly approvals?: ApprovalsOptions;
  /** @default elicit */
  readonly gate?: ApprovalGateOptions;
  /** A second process on the folder, store and services of this one. */
  readonly of?: World;
  /** TOOLKIT_KEY. @default the same for all */
  readonly key?: string;
  readonly plugins?: readonly PluginEntry[];
  /** True to serve over HTTP. @default false */
  readonly serves?: true;
}

/** Everything that an attack may use or must leave alone. */
export interface World {
  readonly kernel: Kernel;
  readonly folder: string;
  /** The store of all plugins, as one who can write into it sees it. The records are under `approvals/record/`. */
  readonly store: StateStore;
  /** The effects: every request to the service behind the tools. */
  readonly effects: readonly SeenRequest[];
  /** URL of the service behind the tools. */
  readonly service: string;
  readonly events: readonly ApprovalEvent[];
  readonly ends: readonly CallEnd[];
  /** The calls, refused answers and refused requests in order, as one line each. */
  readonly trail: readonly string[];
  readonly log: readonly LogRecord[];
  /** Port of the HTTP server; 0 without one. */
  readonly port: number;
  /** Calls the tool `pay` as a model does. */
  pay(parameters: Readonly<Record<string, unknown>>, more?: Partial<CallRequest>): Promise<JsonValue>;
  /** Makes a call that waits for a person, and returns its record. */
  hold(parameters: Readonly<Record<string, unknown>>, more?: Partial<CallRequest>): Promise<ApprovalRecord>;
  /** Returns all records, newest first. */
  records(): Promise<readonly ApprovalRecord[]>;
  /** Writes files of the project, and discovers again. */
  rewrite(files: Readonly<Record<string, string>>): Promise<void>;
}

/** Returns a project with tools that need approval, before a service that counts what was done. */
export async function attackWorld(options: WorldOptions = {}): Promise<World> {
  const { of, plugins = [], gate = { mode: 'elicit' }, key = hostKey } = options;
  const effects: SeenRequest[] = [];
  const service =
    of?.service ??
    (
      await loopback((request, response) => {
        effects.push(request);
        json(response, { done: effects.length });
      })
    ).url;
  const folder = of?.folder ?? (await temporaryFolder(toolsOf(service)));
  const store = of?.store ?? sharedMemory();
  const events: ApprovalEvent[] = [];
  const ends: CallEnd[] = [];
  const trail: string[] = [];
  const recorder = definePlugin({
    name: 'trail-of-the-test',
    apiVersion,
    apply({ extend, hooks }) {
      extend.stateStore(store);
      extend.approvalEvents((event) => {
        events.push(event);
        if (event.event === 'rejected') trail.push(`answer ${event.id}: ${event.reason ?? ''}`);
      });
      extend.refusals(({ status, reason }) => void trail.push(`request: ${status} ${reason}`));
      hooks.settled.tap('trail-of-the-test', (call) => {
        ends.push(call);
        const { toolName, caller, outcome } = call;
        const end = outcome.type === 'failed' ? `${outcome.error.code}: ${outcome.error.message}` : 'completed';
        trail.push(`call ${toolName} of ${caller}: ${end}`);
      });
    },
  });
  const logger = memoryLogger();
  const kernel = await withKey(key, () =>
    bareKernel({
      cwd: folder,
      logger,
      plugins: [
        toolFiles({ toolPaths: ['tools'] }),
        secretsEnv({ env: { BANK_TOKEN: 'value-of-the-host' } }),
        credentialsPlaceholder(),
        confinePaths(),
        guardCode(),
        policyRules({ watch: false }),
        guardOutbound({ allowHosts: ['127.0.0.1'] }),
        callsOnce(),
        executorHttp(),
        executorFunction(),
        validateOutput(),
        approvalGate(gate),
        approvals(options.approvals ?? {}),
        ...plugins,
        ...(options.serves === true ? [mcp({ transport: 'http', port: 0, mcpToken: token })] : []),
        recorder(),
      ],
    }),
  );
  const running = options.serves === true ? await quietly(() => kernel.serve()) : [];
  const call = async (tool: string, parameters: Readonly<Record<string, unknown>>, more: Partial<CallRequest>): Promise<JsonValue> =>
    (await kernel.call({ caller: 'ada', origin: 'model', ...more, tool: more.tool ?? tool, parameters })).output;
  const world: World = {
    kernel,
    folder,
    store,
    effects: of?.effects ?? effects,
    service,
    events,
    ends,
    trail,
    log: logger.records,
    port: running.length === 0 ? 0 : Number(new URL(running[0]?.url ?? '').port),
    pay: (parameters, more = {}) => call('pay', parameters, more),
    async hold(parameters, more = {}) {
      const before = new Set((await world.records()).map(({ id }) => id));
      const end = await call('pay', parameters, more).then(
        (output) => `ran: ${JSON.stringify(output)}`,
        (error: unknown) => String(error),
      );
      const made = (await world.records()).find(({ id }) => !before.has(id));
      if (made === undefined) throw new Error(`The call made no record. It ${end}`);
      return made;
    },
    async records() {
      const all: ApprovalRecord[] = [];
      let after: string | undefined;
      do {
        const page = await kernel.approvals.list(after === undefined ? {} : { after });
        all.push(...page.approvals);
        after = page.next;
      } while (after !== undefined);
      return all;
    },
    async rewrite(files) {
      await writeFiles(folder, Object.fromEntries(Object.entries(files).map(([name, text]) => [path.normalize(name), text])));
      await kernel.reload();
    },
  };
  return world;
}

/** Starts something with this key of the host. */
async function withKey<T>(key: string, start: () => Promise<T>): Promise<T> {
  const before = process.env['TOOLKIT_KEY'];
  process.env['TOOLKIT_KEY'] = key;
  try {
    return await start();
  } finally {
    if (before === undefined) delete process.env['TOOLKIT_KEY'];
    else process.env['TOOLKIT_KEY'] = before;
  }
}

/** A store that several kernels of this process share, and that outlives each of them. */
function sharedMemory(): StateStore {
  return Object.assign(new MemoryStore(Date.now), { isShared: true, close: async () => {} });
}

/** The clock of this process from now on, until the test ends. Timers run on. */
export function stoppedClock(): sinon.SinonFakeTimers {
  return sinon.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
}

afterEach(() => sinon.restore());
