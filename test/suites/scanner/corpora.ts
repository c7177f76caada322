import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { scanItems } from '../../../plugins/shared/scanner/scan-items.ts';
import type { ScannedItem } from '../../../plugins/shared/scanner/scanned-item.ts';

/** Folder of the public corpora: `TOOLKIT_SCANNER_CASES`, else beside the repository. */
export const corporaFolder: string = process.env['TOOLKIT_SCANNER_CASES'] || '../shared/cases/scanner';

export const hasCorpora: boolean = existsSync(corporaFolder);

interface Tool {
  readonly name: string;
  readonly description: string;
}

interface Entry {
  readonly id: string;
  readonly label: 'malicious' | 'benign';
  readonly category: string;
  readonly description?: string;
  readonly server?: string;
  readonly tool?: Tool;
  readonly peers?: readonly { readonly server: string; readonly tool: Tool }[];
}

/** The figures of one corpus. An entry counts as found with any finding, hard or not. */
export interface CorpusResult {
  readonly name: string;
  readonly malicious: number;
  readonly benign: number;
  readonly found: number;
  readonly foundHard: number;
  /** Ids and texts of what was not found. */
  readonly missed: readonly string[];
  readonly falseAlarms: readonly string[];
}

/** Scans the entries of all corpora, each alone with the tools that it names. */
export async function scanCorpora(): Promise<readonly CorpusResult[]> {
  const files = (await readdir(corporaFolder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => {
      // No number: a corpus has texts only.
      const { entries } = JSON.parse(await readFile(path.join(corporaFolder, file), 'utf8')) as { readonly entries: readonly Entry[] };
      return resultOf(file, entries);
    }),
  );
}

function resultOf(name: string, entries: readonly Entry[]): CorpusResult {
  const scanned = entries.map((entry) => ({ entry, result: scanItems([itemOf(entry)], { peers: peersOf(entry) }) }));
  const malicious = scanned.filter(({ entry }) => entry.label === 'malicious');
  const benign = scanned.filter(({ entry }) => entry.label === 'benign');
  const line = ({ entry }: { readonly entry: Entry }): string =>
    `${entry.id} ${JSON.stringify(entry.description ?? entry.tool?.description)}`;
  return {
    name,
    malicious: malicious.length,
    benign: benign.length,
    found: malicious.filter(({ result }) => result.hard + result.warnings > 0).length,
    foundHard: malicious.filter(({ result }) => result.hard > 0).length,
    missed: malicious.filter(({ result }) => result.hard + result.warnings === 0).map(line),
    falseAlarms: benign
      .filter(({ result }) => result.findings.length > 0)
      .map(
        (one) => `${line(one)} ${one.result.findings.map(({ severity, kind, message }) => `${severity} ${kind}: ${message}`).join('; ')}`,
      ),
  };
}

function itemOf({ id, server = 'corpus', tool, description }: Entry): ScannedItem {
  return { type: 'tool', name: tool?.name ?? id, source: server, value: tool ?? { description } };
}

function peersOf({ peers = [] }: Entry): readonly ScannedItem[] {
  return peers.map(({ server, tool }) => ({ type: 'tool', name: tool.name, source: server, value: tool }));
}
