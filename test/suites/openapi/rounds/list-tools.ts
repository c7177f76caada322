import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createKernel } from '../../../../kernel/index.ts';
import { openapi } from '../../../../plugins/openapi/index.ts';
import type { DocumentSource } from '../../../../plugins/openapi/options.ts';
import { decideToolAccess } from '../../../../plugins/shared/exposure/tool-access.ts';
import { exposedLists, sizeOf } from '../../../../plugins/shared/exposure/tool-lists.ts';
import { standard } from '../../../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import type { DocumentFile } from '../documents/folders.ts';

export interface Listed {
  readonly expose: string;
  /** Tools of the document. */
  readonly tools: number;
  /** Estimated tokens of the list of a server that exposes all, and serves the tools of the document only. */
  readonly all: number;
  /** Those of the list of a server that exposes search, beside the core tools. */
  readonly search: number;
  /** Names that the list of all has. */
  readonly names: readonly string[];
}

/** Lists the tools of a document as servers do, for each way of exposing them that leads to search. */
export async function run({ file }: DocumentFile): Promise<readonly Listed[]> {
  const listed: Listed[] = [];
  for (const expose of ['auto', 'search'] as const) listed.push(await listOf(file, expose));
  return listed;
}

async function listOf(file: string, expose: NonNullable<DocumentSource['expose']>): Promise<Listed> {
  const sources = { api: { document: file, server: 'https://api.example', expose } };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'toolkit-openapi-'));
  const kernel = await createKernel({
    cwd: folder,
    logger: memoryLogger(),
    plugins: [...standard({ autoDiscover: false }), openapi({ sources })],
  });
  try {
    const { registry, approvalProof } = kernel;
    const own = exposedLists(registry, decideToolAccess({ tools: ['api_*'] }, registry), approvalProof).all;
    const { search } = exposedLists(registry, decideToolAccess({ expose: 'search' }, registry), approvalProof);
    return {
      expose,
      tools: [...registry.tools.keys()].filter((name) => name.startsWith('api_')).length,
      all: sizeOf(own).tokens,
      search: sizeOf(search).tokens,
      names: own.tools.map(({ name }) => name),
    };
  } finally {
    await kernel.close();
    rmSync(folder, { recursive: true });
  }
}
