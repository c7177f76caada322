import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenRead } from '../../../fixtures/servers/when-read.ts';
import { afterEach } from '../after-each.ts';
import { until } from '../until.ts';
import { type CollectedSpan, spansOf } from './otlp-spans.ts';

/** A collector of OpenTelemetry on this machine, which decodes the spans that arrive over OTLP (HTTP, protobuf). */
export interface OtlpCollector {
  readonly url: string;
  /** Variables for a process that sends its spans here, soon. */
  readonly env: Readonly<Record<string, string>>;
  /** The spans in the order of their arrival. */
  readonly spans: readonly CollectedSpan[];
  readonly requests: readonly { readonly url: string; readonly headers: IncomingHttpHeaders }[];
  /** Resolves to the first span of this name, or that meets the condition, once it is here. */
  span(found: string | ((span: CollectedSpan) => boolean)): Promise<CollectedSpan>;
  /** True when these bytes are anywhere in what arrived: for secrets that no span may hold. */
  holds(text: string): boolean;
  close(): Promise<void>;
}

const opened: OtlpCollector[] = [];

interface CollectorOptions {
  /** Status of an answer. @default 200 */
  readonly status?: () => number;
  /** Further headers of its answers. @default none */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A collector that is closed after the test. */
export async function otlpCollector(options: CollectorOptions = {}): Promise<OtlpCollector> {
  const collector = await openOtlpCollector(options);
  opened.push(collector);
  return collector;
}

/** A collector that its caller closes. */
export async function openOtlpCollector({ status = () => 200, headers: more = {} }: CollectorOptions = {}): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const requests: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
  const bodies: Buffer[] = [];
  const server = createServer(
    whenRead(({ url: target = '', headers }, body, response) => {
      requests.push({ url: target, headers });
      const code = status();
      if (code === 200) {
        bodies.push(body);
        spans.push(...spansOf(body));
      }
      response.writeHead(code, { 'content-type': 'application/x-protobuf', ...more }).end();
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '20' },
    spans,
    requests,
    span: (found) => until(() => spans.find((span) => (typeof found === 'string' ? span.name === found : found(span)))),
    holds: (text) => bodies.some((body) => body.includes(text)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

afterEach(() => Promise.all(opened.splice(0).map((collector) => collector.close())));
