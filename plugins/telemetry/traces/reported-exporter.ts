import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { excerpt, type Logger, messageOf } from '../../../kernel/index.ts';
import { RepeatedReports } from '../../shared/reports/repeated-reports.ts';
import { AnsweredStatus } from './answered-status.ts';
import { adviceFor, type Collector } from './collector.ts';

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** An exporter that logs a failed export, and further ones once a minute. The SDK itself says nothing, and the diagnostics are those of the host. */
export class ReportedExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #reports: RepeatedReports<{ readonly error: unknown }>;
  readonly #statuses: AnsweredStatus;
  #hasFailed = false;

  constructor(exporter: SpanExporter, { logger, collector }: { readonly logger: Logger; readonly collector: Collector }) {
    this.#exporter = exporter;
    this.#statuses = new AnsweredStatus(collector.url);
    this.#reports = new RepeatedReports({
      keyOf: () => '',
      maxKeys: 1,
      toOther: (failure) => failure,
      report: ({ error }, count) => {
        const { reason, status } = this.#failureOf(error);
        logger.warn(
          `spans do not reach the collector at ${collector.shown}: ${reason}. They are lost; calls go on. ${adviceFor(collector, status)}`,
          { exports: count },
        );
      },
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
    this.#statuses.close();
    await this.#exporter.shutdown();
  }

  /** Returns the message with the code, such as an HTTP status or `ECONNREFUSED`: the message of a refused connection may be empty. */
  #failureOf(error: unknown): { readonly reason: string; readonly status: number | undefined } {
    const { code } = (error ?? {}) as { readonly code?: unknown };
    // The exporter keeps the status of an answer after which it tries again to itself.
    const answered = code === undefined && error instanceof Error && error.name === 'OTLPExporterError' ? this.#statuses.last : undefined;
    if (answered !== undefined) return { reason: `it answers ${answered}`, status: answered };
    const message = error === undefined ? '' : messageOf(error);
    const isKnown = typeof code === 'string' || typeof code === 'number';
    const reason = excerpt([message, isKnown ? `(${code})` : ''].join(' ').trim() || 'no reason was given');
    return { reason, status: typeof code === 'number' ? code : undefined };
  }
}
