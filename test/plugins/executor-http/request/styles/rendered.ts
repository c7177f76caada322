import type { HttpExecution } from '../../../../../plugins/executor-http/definition/execution.ts';
import { type RenderedRequest, renderRequest } from '../../../../../plugins/executor-http/request/request.ts';

/** Renders a request of an execution with these values, none of them a credential. */
export async function rendered(
  execution: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): Promise<RenderedRequest> {
  const whole = { method: 'post', url: 'https://api.example/', ...execution } as HttpExecution;
  return renderRequest(
    whole,
    (name) => (Object.hasOwn(values, name) ? values[name] : undefined),
    () => false,
  );
}

/** Returns the path, with what stands before and behind the placeholder of `pathOf` removed. */
export async function writtenIn(
  place: 'path' | 'query' | 'header' | 'cookie' | 'form',
  style: Readonly<Record<string, unknown>>,
  color: unknown,
): Promise<string | undefined> {
  const described = { color: { value: '{color}', ...style } };
  switch (place) {
    case 'path':
      return (await rendered({ url: 'https://api.example/map-{color}/x', path_params: described }, { color })).url.pathname.slice(5, -2);
    case 'query':
      return (await rendered({ query_params: described }, { color })).url.search.slice(1) || undefined;
    case 'header':
      return (await rendered({ headers: described }, { color })).headers.get('color') ?? undefined;
    case 'cookie':
      return (await rendered({ cookies: described }, { color })).headers.get('cookie') ?? undefined;
    case 'form':
      return String((await rendered({ form: described }, { color })).body) || undefined;
  }
}
