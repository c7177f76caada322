import { excerpt, parseUrl } from '../../../kernel/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of OpenTelemetry that decide about the SDK of this plugin (Environment Variable Specification). The SDK reads the others itself. */
export class TraceVariables {
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  /** The variable that forbids traces, with its value. */
  get forbiddenBy(): string | undefined {
    if (this.#value('OTEL_SDK_DISABLED').toLowerCase() === 'true') return 'OTEL_SDK_DISABLED=true';
    return this.#exporters.includes('none') ? 'OTEL_TRACES_EXPORTER=none' : undefined;
  }

  /** True where a variable names an exporter of traces, or where they go. */
  get namesExporter(): boolean {
    return this.#exporters.length > 0 || this.#endpointVariable !== undefined;
  }

  /** True where spans can leave: over OTLP, the default and the only exporter here, to a URL. */
  get canSend(): boolean {
    const [, endpoint] = this.#endpointVariable ?? [];
    return (this.#exporters.length === 0 || this.#exporters.includes('otlp')) && (endpoint === undefined || isHttpUrl(endpoint));
  }

  /** The receiver of the spans: scheme, host and port. */
  get collector(): string {
    const [, value] = this.#endpointVariable ?? [];
    return (value === undefined ? undefined : parseUrl(value)?.origin) ?? 'http://localhost:4318';
  }

  /** Settings that have no effect here, as sentences. */
  get warnings(): string[] {
    const others = this.#exporters.filter((name) => name !== 'otlp' && name !== 'none');
    const protocol = this.#value('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || this.#value('OTEL_EXPORTER_OTLP_PROTOCOL');
    const [name = '', endpoint] = this.#endpointVariable ?? [];
    return [
      ...(others.length === 0
        ? []
        : [
            `OTEL_TRACES_EXPORTER names ${excerpt(others.join(', '))}: the only exporter here is "otlp". Name that one: of others no spans are sent`,
          ]),
      ...(protocol === '' || protocol === 'http/protobuf'
        ? []
        : [
            `OTEL_EXPORTER_OTLP_PROTOCOL is "${excerpt(protocol)}": spans are sent by http/protobuf. Set it to that, with the port that the collector has for it, such as 4318`,
          ]),
      ...(endpoint === undefined || isHttpUrl(endpoint)
        ? []
        : [`${name} is no URL of http or https: no spans are sent. Give it a URL such as http://collector.example:4318`]),
    ];
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
    return this.#value('OTEL_TRACES_EXPORTER')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '');
  }

  get #endpointVariable(): readonly [name: string, value: string] | undefined {
    const names = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
    return names.map((name) => [name, this.#value(name)] as const).find(([, value]) => value !== '');
  }

  /** Returns a value; empty where it is not set, as the specification has it. */
  #value(name: string): string {
    return this.#env[name]?.trim() ?? '';
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

function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '');
}
