import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import sinon from 'sinon';
import type { Kernel, Logger, PluginEntry } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { testKernel } from '../../support/test-kernel.ts';

const handler = async ({ url, headers = {} }: { url: string; headers?: Record<string, string> }, { fetch }: FunctionContext) =>
  (await fetch(url, { headers })).text();

const getTool = {
  name: 'get',
  description: 'Fetches.',
  parameters: { url: { type: 'string' }, headers: { type: 'object', additionalProperties: { type: 'string' } } },
  execution: { type: 'function', handler },
};

export interface GuardedOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly tools?: readonly unknown[];
  readonly plugins?: readonly PluginEntry[];
  readonly logger?: Logger;
}

/** A kernel with the guard, no proxy unless `env` says so, and the tool `get`, which fetches the URL it is given and follows redirects. */
export function guardedKernel(allow: readonly string[] = [], options: GuardedOptions = {}): Promise<Kernel> {
  const { env = {}, tools = [], plugins = [], logger } = options;
  return testKernel({
    plugins: [guardOutbound({ allowHosts: [...allow], env: { ...env } }), ...plugins],
    tools: [getTool, ...tools],
    ...(logger === undefined ? {} : { logger }),
  });
}

/**
 * Makes the resolver answer these names from now on, each time with the next list of addresses; the last one stays. An empty list is an
 * answer that never comes. Returns the names that were asked for.
 */
export function answerNames(answers: Readonly<Record<string, readonly (readonly string[])[]>>): readonly string[] {
  const asked: string[] = [];
  const left = new Map(Object.entries(answers).map(([name, lists]) => [name, [...lists]]));
  const real = dns.lookup;
  const lookup = (name: string, options: never, callback: (error: Error | null, addresses: LookupAddress[]) => void): void => {
    // Servers look up the address that they listen on.
    if (net.isIP(name) !== 0) return void real(name, options, callback as never);
    asked.push(name);
    const lists = left.get(name);
    const addresses = lists !== undefined && lists.length > 1 ? lists.shift() : lists?.[0];
    const error = addresses === undefined ? Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' }) : null;
    if (addresses?.length === 0) return;
    setImmediate(
      callback,
      error,
      (addresses ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  sinon.stub(dns, 'lookup').callsFake(lookup as never);
  syncBuiltinESMExports();
  return asked;
}

afterEach(() => {
  sinon.restore();
  syncBuiltinESMExports();
});
