import { excerpt, parseUrl } from '../../../kernel/index.ts';
import { type Environment, firstSet } from './environment.ts';

const general = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const ofTraces = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

/** Variables with headers for the collector. The exporter sends those of both; the first wins. */
export const headersVariables = ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'] as const;

/** The receiver of the spans. */
export interface Collector {
  /** Undefined where its variable has no URL of http or https. */
  readonly url: URL | undefined;
  /** The URL for messages, without user name, password, query and fragment. */
  readonly shown: string;
  /** The variable that names it; undefined for the default. */
  readonly variable: string | undefined;
  /** The variable with its headers: the one that is set. */
  readonly headersVariable: string;
}

/** Returns the receiver that the variables name (OpenTelemetry Protocol Exporter: the path is added to the endpoint for all signals alone). */
export function collectorOf(env: Environment): Collector {
  const [variable, value = 'http://localhost:4318'] = firstSet(env, [ofTraces, general]) ?? [];
  const text = variable === ofTraces ? value : `${value}${value.endsWith('/') ? '' : '/'}v1/traces`;
  const parsed = parseUrl(text);
  const url = /^https?:$/.test(parsed?.protocol ?? '') ? parsed : undefined;
  const shown = url === undefined ? '(no URL)' : excerpt(`${url.origin}${url.pathname}`);
  return { url, shown, variable, headersVariable: firstSet(env, headersVariables)?.[0] ?? headersVariables[1] };
}

/** Returns the next step for an operator whose collector does not take the spans. `status`: its HTTP status; undefined where it did not answer. */
export function adviceFor({ variable, headersVariable }: Collector, status: number | undefined): string {
  if (status === 401 || status === 403) return `Give it the credentials that it expects in ${headersVariable}`;
  if (status === 404 || status === 405)
    return variable === ofTraces
      ? `Check the path in ${ofTraces}, which is the whole URL`
      : `Check ${general}, to which v1/traces is added, or give the whole URL in ${ofTraces}`;
  if (status !== undefined) return 'See its log for the reason';
  if (variable === undefined) return `Name the collector in ${general}, or start one there`;
  return `Check ${variable}, and that the collector runs`;
}
