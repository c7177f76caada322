import type { CollectedSpan } from '../../support/telemetry/otlp-spans.ts';
import { clientSpanId } from './world.ts';

/** A span as the golden file shows it, without what differs from run to run. */
export interface SpanNode {
  /** Name, kind and process. */
  readonly title: string;
  /** Attributes and status, sorted. */
  readonly lines: readonly string[];
  readonly within: readonly SpanNode[];
}

/** Returns the spans of a trace below those of the client, which are not collected. Spans with one parent are sorted by name, then as they arrived. */
export function treeOf(spans: readonly CollectedSpan[], sessionHash: string | undefined): readonly SpanNode[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = (parent: string): readonly SpanNode[] =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
      .map((span) => ({
        title: `${span.name} · ${span.kind} · ${span.resource['service.name']}`,
        lines: linesOf(span, sessionHash),
        within: below(span.spanId),
      }));
  const orphans = spans.filter(({ parentSpanId = '' }) => parentSpanId !== clientSpanId && !ids.has(parentSpanId));
  if (orphans.length > 0) throw new Error(`spans with an unknown parent: ${orphans.map(({ name }) => name).join(', ')}`);
  return below(clientSpanId);
}

function linesOf({ attributes, status, events }: CollectedSpan, sessionHash: string | undefined): readonly string[] {
  const shown: Readonly<Record<string, (value: unknown) => unknown>> = {
    'jsonrpc.request.id': () => '<id>',
    'mcp.session.id': (value) => (value === sessionHash ? '<hash of the session id>' : value),
    'server.port': () => '<port>',
  };
  return [
    ...Object.keys(attributes)
      .sort()
      .map((name) => `${name}: ${(shown[name] ?? String)(attributes[name])}`),
    ...events.map(({ name }) => `event: ${name}`),
    ...(status.code === 'unset' ? [] : [`status: ${status.code}${status.message === undefined ? '' : ` ${status.message}`}`]),
  ];
}

/** The names of the spans without attributes: where they differ, a scenario has several blocks. */
export function shapeOf(tree: readonly SpanNode[], indent = ''): string {
  return tree.map(({ title, within }) => `${indent}${title}\n${shapeOf(within, `${indent}  `)}`).join('');
}
