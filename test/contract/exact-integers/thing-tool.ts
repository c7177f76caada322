import type { EchoRequest, EchoService } from './echo-service.ts';

/** A tool that puts one integer into every part of a request: path, query, header, and twice into the body. */
export function thingTool(service: EchoService): Readonly<Record<string, unknown>> {
  return {
    name: 'thing_send',
    description: 'Sends a thing.',
    risk: 'low',
    parameters: { id: { type: 'integer', required: true, description: 'Its id.' } },
    execution: {
      type: 'http',
      method: 'post',
      url: `${service.url}/things/{id}`,
      query_params: { id: '{id}' },
      headers: { 'x-id': '{id}' },
      body: { id: '{id}', text: 'thing {id}' },
    },
    output_schema: {
      type: 'object',
      properties: { id: { type: 'integer' }, list: { type: 'array', items: { type: 'integer' } } },
      required: ['id'],
    },
  };
}

/** The digits at each place of such a request and of its answer, each once: one text where they are the same everywhere. */
export function digitsOf({ url, headers, body }: EchoRequest, output: unknown): string {
  const { id, list } = output as { readonly id: unknown; readonly list: readonly unknown[] };
  const [, number = '', text = ''] = /^\{"id":(-?\d+),"text":"thing (-?\d+)"\}$/.exec(body) ?? [];
  const found = [
    url.pathname.replace('/things/', ''),
    url.searchParams.get('id'),
    headers['x-id'],
    number,
    text,
    String(id),
    String(list[0]),
  ];
  return [...new Set(found)].join(' and ');
}
