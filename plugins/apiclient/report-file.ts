import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { codeOf, operationError } from './operation-error.ts';

export type ReportFormat = 'json' | 'junit' | 'html';

export interface RequestedReport {
  readonly format: ReportFormat;
  /** Absolute path; undefined for a temporary file. */
  readonly file: string | undefined;
}

const extensions: Readonly<Record<ReportFormat, string>> = { json: '.json', junit: '.xml', html: '.html' };

/** Returns the report that a call asks for, if any. Throws when its file cannot be written. */
export async function requestedReport(format: ReportFormat | undefined, file: string | undefined): Promise<RequestedReport | undefined> {
  if (format === undefined && file === undefined) return undefined;
  if (file !== undefined) await expectWritable(file);
  const found = format ?? (Object.keys(extensions) as ReportFormat[]).find((known) => file?.toLowerCase().endsWith(extensions[known]));
  if (found === undefined)
    throw operationError(
      `The format of the report ${file} is not clear: give report_format (json, junit or html), or a report_path that ends in .json, .xml or .html.`,
      'INVALID_PARAMETERS',
    );
  return { format: found, file };
}

/** Returns the runner's flag for a report in the private folder of a run. No flag for JSON, which is always written. */
export function reportFlags(requested: RequestedReport | undefined, folder: string): readonly string[] {
  return requested === undefined || requested.format === 'json'
    ? []
    : [`--reporter-${requested.format}=${temporaryReport(folder, requested)}`];
}

/** Moves the report out of the private folder, and returns its path. The caller removes a temporary file. */
export async function moveReport(requested: RequestedReport, folder: string): Promise<string> {
  const target =
    requested.file ?? path.join(await mkdtemp(path.join(os.tmpdir(), 'toolkit-report-')), `report${extensions[requested.format]}`);
  // A random name: concurrent calls, and processes with the same number in different containers, may write to one path.
  const temporaryFile = `${target}.${randomUUID()}.part`;
  try {
    await copyFile(temporaryReport(folder, requested), temporaryFile);
    await rename(temporaryFile, target);
  } catch (error) {
    await rm(temporaryFile, { force: true });
    throw operationError(
      `The requests ran, but their report could not be written to ${target} (${codeOf(error)}).`,
      'EXECUTION_FAILED',
      error,
    );
  }
  return target;
}

function temporaryReport(folder: string, { format }: RequestedReport): string {
  return path.join(folder, `report${extensions[format]}`);
}

async function expectWritable(file: string): Promise<void> {
  const folder = await stat(path.dirname(file)).catch(() => undefined);
  if (folder?.isDirectory() !== true)
    throw operationError(
      `The report cannot be written to ${file}: expected the folder ${path.dirname(file)} to exist. Make it, or give another report_path.`,
      'NOT_FOUND',
    );
  if ((await stat(file).catch(() => undefined))?.isDirectory() === true)
    throw operationError(`The report cannot be written to ${file}, which is a folder.`);
}
