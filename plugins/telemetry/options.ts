import Type, { type Static } from 'typebox';

export const TelemetryOptionsSchema = Type.Object(
  {
    /**
     * Spans of calls. `auto`: by the SDK of the program around this one, else by one that a server or worker starts where a variable of OpenTelemetry
     * names an exporter (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or `OTEL_TRACES_EXPORTER`). True starts one without such
     * a variable too. @default 'auto'
     */
    traces: Type.Optional(Type.Union([Type.Boolean(), Type.Literal('auto')])),
    /**
     * The receivers of `traceparent`, which continue the trace: host names (`*.corp.example` for subdomains) and addresses, `loopback` for this machine,
     * `workers` for the code and the programs of tools. Others are sent nothing of it. @default ['loopback', 'workers']
     */
    propagate: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 1000 })),
    /** Adds the arguments and the result of each call to its span, with secrets masked and cut to this many characters. @default 0: none */
    contentCharacters: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_536 })),
    /**
     * Numbers for Prometheus at `/metrics`. True: on the MCP server over HTTP, with the token of an operator. With a `port`: on a server of its own,
     * without a token, on `host`. @default true
     */
    metrics: Type.Optional(
      Type.Union([
        Type.Boolean(),
        Type.Object(
          {
            port: Type.Integer({ minimum: 0, maximum: 65_535 }),
            /** Address that it listens on. Without a token, so that whoever reaches it can read the numbers. @default '127.0.0.1' */
            host: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
          },
          { additionalProperties: false },
        ),
      ]),
    ),
  },
  { additionalProperties: false },
);

export type TelemetryOptions = Static<typeof TelemetryOptionsSchema>;
