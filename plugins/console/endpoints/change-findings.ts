import type { PendingChange, Registry, SourceItemKind } from '../../../kernel/index.ts';
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

const types: Readonly<Record<SourceItemKind, ScannedItem['type']>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  'resource template': 'resource',
  provider: 'document',
};

/** Scans a change for texts that are orders to a model, beside the tools that are served already. */
export function findingsOf(change: PendingChange, registry: Pick<Registry, 'tools'>): ChangeFindings {
  const { kind, name, source } = change;
  const value = { definition: shownDefinition(change), schemas: change.schemas };
  const { findings, hard } = scanItems([{ type: types[kind], name, source, value }], { peers: servedPeers(registry, source) });
  return { texts: findings.map(findingText), isBlocked: hard > 0 };
}
