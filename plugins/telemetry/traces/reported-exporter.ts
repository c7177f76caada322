import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { excerpt, type Logger, messageOf } from '../../../kernel/index.ts';
import { RepeatedReports } from '../../shared/reports/repeated-reports.ts';

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** An exporter that logs a failed export, and further ones once a minute. The SDK itself says nothing, and the diagnostics are those of the host. */
export class ReportedExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #reports: RepeatedReports<{ readonly error: unknown }>;
  #hasFailed = false;

  constructor(exporter: SpanExporter, { logger, collector }: { readonly logger: Logger; readonly collector: string }) {
    this.#exporter = exporter;
    this.#reports = new RepeatedReports({
      keyOf: () => '',
      maxKeys: 1,
      toOther: (failure) => failure,
      report: ({ error }, count) =>
        logger.warn(
          `spans do not reach the collector at ${collector}: ${reasonOf(error)}. They are lost; calls go on. Check OTEL_EXPORTER_OTLP_ENDPOINT, and that the collector runs`,
          { exports: count },
        ),
    });
  }

  /** True while the last export failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      this.#hasFailed = result.code !== 0;
      if (this.#hasFailed) this.#reports.note({ error: result.error });
      done(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }

  async shutdown(): Promise<void> {
    this.#reports.close();
    await this.#exporter.shutdown();
  }
}

/** Returns the message with the code, such as an HTTP status or `ECONNREFUSED`: the message of a refused connection may be empty. */
function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const message = error === undefined ? '' : messageOf(error);
  return excerpt(
    [message, typeof code === 'string' || typeof code === 'number' ? `(${code})` : ''].join(' ').trim() || 'no reason was given',
  );
}
