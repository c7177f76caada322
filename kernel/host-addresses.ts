import type { LookupAddress } from 'node:dns';
import { excerpt, messageOf, ToolkitError } from './errors.ts';
import type { HostAddress } from './outbound.ts';

/** What the resolver of the system says of a host, hosts file included. An address is its own. */
export async function hostAddresses(host: string): Promise<readonly HostAddress[]> {
  const { lookup } = await import('node:dns');
  const found = await new Promise<LookupAddress[]>((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(lookupError(host, error))));
  });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

function lookupError(host: string, error: NodeJS.ErrnoException): ToolkitError {
  const shown = excerpt(host);
  if (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
    return new ToolkitError('NOT_FOUND', `The name "${shown}" has no address. Check how it is written.`, { host: shown }, { cause: error });
  const message = `The address of "${shown}" cannot be looked up: ${excerpt(error.code ?? messageOf(error))}. Try again later.`;
  return new ToolkitError('UPSTREAM_UNAVAILABLE', message, { host: shown }, { cause: error });
}
