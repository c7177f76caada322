import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import sinon from 'sinon';
import type { Kernel } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { testKernel } from '../../support/test-kernel.ts';

const handler = async ({ url }: { url: string }, { fetch }: FunctionContext): Promise<string> => (await fetch(url)).text();

/** A kernel with the guard and the tool `get`, which fetches the URL it is given. */
export function guardedKernel(allow: readonly string[] = []): Promise<Kernel> {
  const tool = { name: 'get', description: 'Fetches.', parameters: { url: { type: 'string' } }, execution: { type: 'function', handler } };
  return testKernel({ plugins: [guardOutbound({ allow: [...allow] })], tools: [tool] });
}

/** Makes the resolver answer these names from now on, each time with the next list of addresses; the last one stays. */
export function answerNames(answers: Readonly<Record<string, readonly (readonly string[])[]>>): void {
  const left = new Map(Object.entries(answers).map(([name, lists]) => [name, [...lists]]));
  const lookup = (name: string, _options: unknown, callback: (error: Error | null, addresses: LookupAddress[]) => void): void => {
    const lists = left.get(name);
    const addresses = lists !== undefined && lists.length > 1 ? lists.shift() : lists?.[0];
    const error = addresses === undefined ? Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' }) : null;
    setImmediate(
      callback,
      error,
      (addresses ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  sinon.stub(dns, 'lookup').callsFake(lookup as never);
  syncBuiltinESMExports();
}

afterEach(() => {
  sinon.restore();
  syncBuiltinESMExports();
});
