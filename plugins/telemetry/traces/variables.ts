import { parseUrl } from '../../../kernel/index.ts';
import { type Collector, collectorOf, headersVariables } from './collector.ts';
import { type Environment, settingOf } from './environment.ts';
import { headerFaults } from './header-list.ts';
import { warningsOf } from './variable-warnings.ts';

/** The variables of OpenTelemetry that decide about the SDK of this plugin (Environment Variable Specification). The SDK reads the others itself. */
export class TraceVariables {
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  /** The variable that forbids traces, with its value. */
  get forbiddenBy(): string | undefined {
    if (settingOf(this.#env, 'OTEL_SDK_DISABLED').toLowerCase() === 'true') return 'OTEL_SDK_DISABLED=true';
    return this.#exporters.includes('none') ? 'OTEL_TRACES_EXPORTER=none' : undefined;
  }

  /** True where a variable names an exporter of traces, or where they go. */
  get namesExporter(): boolean {
    return this.#exporters.length > 0 || this.collector.variable !== undefined;
  }

  /** True where spans can leave: over OTLP, the default and the only exporter here, to a URL, with headers that can be sent. */
  get canSend(): boolean {
    const isOtlp = this.#exporters.length === 0 || this.#exporters.includes('otlp');
    const faults = headersVariables.flatMap((name) => headerFaults(settingOf(this.#env, name)));
    return isOtlp && this.collector.url !== undefined && !faults.some(({ isFatal }) => isFatal);
  }

  /** The receiver of the spans. */
  get collector(): Collector {
    return collectorOf(this.#env);
  }

  /** Settings that have another effect here than they say, as sentences. */
  get warnings(): readonly string[] {
    return warningsOf(this.#env, this.#exporters);
  }

  /** The credentials in the variables, by the name of their variable. */
  get credentials(): readonly (readonly [name: string, value: string])[] {
    const headers = Object.entries(this.#env).filter(([name]) => /^OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS$/.test(name));
    const endpoints = Object.entries(this.#env).filter(([name]) => /^OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?ENDPOINT$/.test(name));
    return [
      ...headers.flatMap(([name, value = '']) => headerSecrets(value).map((secret) => [name, secret] as const)),
      ...endpoints.flatMap(([name, value = '']) => passwordOf(value).map((secret) => [name, secret] as const)),
    ];
  }

  get #exporters(): string[] {
    return settingOf(this.#env, 'OTEL_TRACES_EXPORTER')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '');
  }
}

/** Shorter values, such as the number of a tenant, are no credentials. */
const minSecretLength = 8;

/** Returns the secrets of `name=value,name=value` (W3C Baggage without properties): the values, and the credentials behind a scheme such as `Bearer`. */
function headerSecrets(headers: string): string[] {
  const values = headers.split(',').map((header) => header.slice(header.indexOf('=') + 1).trim());
  const forms = values.flatMap((value) => [value, decoded(value)]).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)]);
  return [...new Set(forms)].filter((value) => value.length >= minSecretLength && /\D/.test(value));
}

function passwordOf(endpoint: string): string[] {
  const { password = '' } = parseUrl(endpoint.trim()) ?? {};
  return [...new Set([password, decoded(password)])].filter((value) => value !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
