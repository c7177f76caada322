import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('json');

/** A Toolkit with one core tool alone, which is stopped after a second in place of its own limit. */
export async function impatientToolkit(group: string, tool: string): Promise<Toolkit> {
  const folder = fileURLToPath(new URL(`../../../../tools/core/${group}/`, import.meta.url));
  const written = await readFile(`${folder}${tool}.yaml`, 'utf8');
  const changed = written.replace(/timeout_ms: \d+/, 'timeout_ms: 1000').replace('code: ./', `code: ${folder}`);
  return coreToolkit({ includeCore: false, toolPaths: [await temporaryFolder({ [`${tool}.yaml`]: changed })] });
}
