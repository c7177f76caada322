import type { Kernel } from '../../../../kernel/index.ts';
import type { ConsoleServices, Endpoint, EndpointRequest } from '../../../../plugins/console/endpoints/endpoint.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

export const operator = { way: 'console', name: 'operator' } as const;

export interface Asked extends Partial<Pick<EndpointRequest, 'body' | 'values'>> {
  readonly query?: string;
  readonly services?: Partial<ConsoleServices>;
}

/** Asks an endpoint as a signed-in person. `name`: method and path, such as `GET sources`. Returns the answer as the browser parses it. */
export async function askEndpoint<T>(
  endpoints: readonly Endpoint[],
  name: string,
  kernel: Kernel,
  { query = '', values = {}, body, services = {} }: Asked = {},
): Promise<T> {
  const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === name);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${name}`);
  const request = { by: operator, values, query: new URLSearchParams(query), body, signal: new AbortController().signal };
  const answer = await endpoint.answer(request, { kernel, logger: memoryLogger(), now: () => Date.now(), ...services });
  return JSON.parse(JSON.stringify(answer)) as T;
}
