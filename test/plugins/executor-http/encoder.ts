import { json, loopback } from '../../support/loopback.ts';
import { type CallTool, httpTool } from './http-tool.ts';

/** Source keys of a mail. */
export const mailSources = [
  'from',
  'to',
  'cc',
  'bcc',
  'reply_to',
  'subject',
  'text',
  'html',
  'body',
  'is_html',
  'in_reply_to',
  'references',
  'attachments',
];

const names = ['a', 'b', 'list', 'object', ...mailSources];

export interface Encoder {
  readonly call: CallTool;
  /** The encoded value as it arrived, undefined when its key did not. */
  encoded(): unknown;
}

/** A tool whose body is one encoded value; every source is a parameter of any type. */
export async function encoder(encoding: string, source: readonly string[], options?: Readonly<Record<string, unknown>>): Promise<Encoder> {
  const { url, requests } = await loopback((_request, response) => json(response, {}));
  const entry = { source, target: 'ENCODED', encoding, ...(options === undefined ? {} : { options }) };
  const parameters = Object.fromEntries(names.map((name) => [name, {}]));
  const call = await httpTool({ execution: { method: 'post', url, body: { value: '{ENCODED}' }, parameter_encoding: entry }, parameters });
  return { call, encoded: () => (JSON.parse(requests.at(-1)?.body ?? '{}') as { value?: unknown }).value };
}
