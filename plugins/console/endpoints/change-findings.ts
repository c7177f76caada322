import { LongWork, type PendingChange, type Registry, type SourceItemKind } from '../../../kernel/index.ts';
import { findingText } from '../../shared/scanner/review/finding-text.ts';
import { servedPeers } from '../../shared/scanner/review/served-peers.ts';
import { scanItems } from '../../shared/scanner/scan-items.ts';
import type { ScannedItem } from '../../shared/scanner/scanned-item.ts';
import { shownDefinition } from './change-difference.ts';

/** Findings of the scanner about one change. */
export interface ChangeFindings {
  readonly texts: readonly string[];
  readonly isBlocked: boolean;
}

/** Number of changes that are scanned together. Each scan takes note of all names that are served. */
const scannedTogether = 50;

const types: Readonly<Record<SourceItemKind, ScannedItem['type']>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  'resource template': 'resource',
  provider: 'document',
};

/** Scans changes for texts that are orders to a model, beside the tools that are served already. Has only those with findings, by name. */
export async function findingsByName(
  changes: readonly PendingChange[],
  registry: Pick<Registry, 'tools'>,
): Promise<ReadonlyMap<string, ChangeFindings>> {
  const work = new LongWork();
  const found = new Map<string, ChangeFindings>();
  for (let start = 0; start < changes.length; start += scannedTogether) {
    if (work.isDue) await work.yieldToEventLoop();
    const together = changes.slice(start, start + scannedTogether);
    const sources = new Set(together.map(({ source }) => source));
    for (const source of sources) {
      const items = together.filter((change) => change.source === source).map(scannedItem);
      const { findings, hardNames } = scanItems(items, { peers: servedPeers(registry, source) });
      for (const { name } of [...findings, ...hardNames.map((hard) => ({ name: hard }))]) {
        const texts = findings.filter((finding) => finding.name === name).map(findingText);
        found.set(name, { texts, isBlocked: hardNames.includes(name) });
      }
    }
  }
  return found;
}

function scannedItem(change: PendingChange): ScannedItem {
  const { kind, name, source, schemas } = change;
  return { type: types[kind], name, source, value: { definition: shownDefinition(change), schemas } };
}
