import type { Registry } from '../../../../kernel/index.ts';
import type { ScannedItem } from '../scanned-item.ts';

/** Returns the tools that are served already, except those of one source: what comes from there must not resemble or command them. */
export function servedPeers({ tools }: Pick<Registry, 'tools'>, except: string): readonly ScannedItem[] {
  return [...tools.values()]
    .filter(({ origin }) => origin.source?.name !== except)
    .map(({ name, description, origin }) => {
      return { type: 'tool', name, source: `served ${origin.source?.name ?? ''}`, value: { description } };
    });
}
