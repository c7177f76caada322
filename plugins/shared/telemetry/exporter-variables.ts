/**
 * Returns true for a variable of an exporter of OpenTelemetry, such as `OTEL_EXPORTER_OTLP_HEADERS` with the token of a collector. They are never
 * secrets of tools, whatever names tools declare.
 */
export function isExporterVariable(name: string): boolean {
  return name.startsWith('OTEL_EXPORTER_');
}
