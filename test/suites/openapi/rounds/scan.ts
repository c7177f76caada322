import { scannedItems } from '../../../../plugins/openapi/accepted/scanned-items.ts';
import { scanItems } from '../../../../plugins/shared/scanner/scan-items.ts';
import type { DocumentFile } from '../documents/folders.ts';
import { generate } from './generate.ts';

/** The findings of the scanner in one document. */
export interface ScannedDocument {
  readonly tools: number;
  readonly hard: number;
  readonly warnings: number;
  /** The findings, for people. */
  readonly shown: readonly string[];
  /** Processor time of the scan, and of making the tools that it reads. */
  readonly scanMs: number;
  readonly generateMs: number;
}

/** Scans the tools of a document. */
export async function run({ file }: DocumentFile): Promise<ScannedDocument> {
  const startedAt = process.cpuUsage();
  const { document, source: generated } = await generate(file);
  const generateMs = milliseconds(startedAt);
  const scanAt = process.cpuUsage();
  const { findings, hard, warnings } = scanItems(scannedItems('api', { document, generated }));
  const shown = findings.map(
    ({ severity, kind, item, path, message, excerpt }) => `${severity} ${kind} ${item} ${path}: ${message} ${excerpt}`,
  );
  return { tools: generated.tools.length, hard, warnings, shown, scanMs: milliseconds(scanAt), generateMs };
}

function milliseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return Math.round((user + system) / 1000);
}
