import { fileURLToPath } from 'node:url';
import type { JsonValue } from '../../../kernel/index.ts';
import { limitCircuit, secretsEnv, Toolkit } from '../../../plugins/toolkit/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import type { SeenRequest } from '../../support/loopback.ts';
import type { CatalogueProvider, CatalogueTool } from './catalogue.ts';
import { environment } from './credentials.ts';
import { type Answerer, startStandIn } from './stand-in.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** The request and the result of one call of a tool. */
export interface CallTrace {
  readonly requests: readonly SeenRequest[];
  readonly output?: JsonValue;
  readonly error?: unknown;
  readonly log: readonly LogRecord[];
}

/** The installed packs, each told that its vendor is the stand-in. */
export interface Vendors {
  readonly toolkit: Toolkit;
  call(tool: CatalogueTool, parameters: Readonly<Record<string, unknown>>, answer: Answerer): Promise<CallTrace>;
  close(): Promise<void>;
}

/** The providers that have an address. */
export function vendorNames(providers: readonly CatalogueProvider[]): readonly string[] {
  return providers.filter(({ base_url: url }) => url !== null).map(({ name }) => name);
}

export async function openVendors(providers: readonly string[]): Promise<Vendors> {
  const standIn = await startStandIn();
  const logger = memoryLogger();
  const toolkit = await Toolkit.init({
    cwd: repository,
    autoDiscover: true,
    includeCore: false,
    logger,
    providers: Object.fromEntries(providers.map((name) => [name, { base_url: `${standIn.url}/${name}` }])),
    // One server stands for all vendors: its failures must not close the way for the next call.
    plugins: [secretsEnv({ env: environment }), limitCircuit({ maxFailures: Number.MAX_SAFE_INTEGER })],
  });
  return {
    toolkit,
    call: async (tool, parameters, answer) => {
      const logged = logger.records.length;
      let result: Pick<CallTrace, 'output' | 'error'> = {};
      const answering: Answerer = (request, response) => answer(below(tool.provider, request), response);
      const requests = await standIn.during(answering, async () => {
        try {
          result = { output: await toolkit.execute(tool.name, parameters) };
        } catch (error) {
          result = { error };
        }
      });
      return { ...result, requests: requests.map((request) => below(tool.provider, request)), log: logger.records.slice(logged) };
    },
    close: async () => {
      await toolkit.close();
      await standIn.close();
    },
  };
}

function below(provider: string, request: SeenRequest): SeenRequest {
  const prefix = `/${provider}`;
  return request.url.startsWith(`${prefix}/`) ? { ...request, url: request.url.slice(prefix.length) } : request;
}
