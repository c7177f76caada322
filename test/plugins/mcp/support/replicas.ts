import { fileStore } from '../../../support/file-store.ts';
import { type WireOptions, type WireServer, wireServer } from './wire.ts';

/** Starts this number of servers with one store. Tools that a test drives are one object for all. */
export async function replicas(
  count: number,
  tools: readonly unknown[] = [],
  { more = [], ...options }: WireOptions = {},
): Promise<readonly WireServer[]> {
  const store = await fileStore();
  const servers: WireServer[] = [];
  for (let number = 0; number < count; number++) servers.push(await wireServer({ ...options, more: [store(), ...more] }, tools));
  return servers;
}
