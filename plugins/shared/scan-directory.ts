import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DiscoverSink, Logger } from '../../kernel/index.ts';
import { messageOf } from '../../kernel/index.ts';
import { addDefinition, parseDefinition } from './definition-file.ts';

const skippedFolders = new Set(['node_modules', 'dist']);

/** Adds every tool and provider file below a directory, or the one file that is named. A bad file is a problem; the others are read. */
export async function scanDirectory(root: string, trust: 'operator' | 'package', sink: DiscoverSink, logger: Logger): Promise<void> {
  const files = await definitionFiles(root);
  const texts = await Promise.all(files.map(readOrProblem));
  for (const [index, file] of files.entries()) {
    const text = texts[index];
    if (typeof text !== 'string') {
      sink.addProblem({ severity: 'error', code: 'TOOL_INVALID', file, message: `cannot be read: ${text?.message ?? 'unknown'}` });
      continue;
    }
    const parsed = await parseDefinition(text, file);
    if ('problems' in parsed) {
      for (const problem of parsed.problems) sink.addProblem(problem);
      continue;
    }
    const kind = addDefinition(sink, parsed.value, { file, directory: path.dirname(file), trust, locate: parsed.locate });
    logger.debug('definition file', { file, kind });
  }
}

async function readOrProblem(file: string): Promise<string | { message: string }> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    return { message: messageOf(error) };
  }
}

/** `*.yaml` and `*.yml` below a directory in a stable order; hidden folders, node_modules and dist are skipped. */
async function definitionFiles(root: string): Promise<string[]> {
  if ((await stat(root)).isFile()) return [root];
  const found: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !skippedFolders.has(entry.name));
    found.push(
      ...entries
        .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && /\.ya?ml$/.test(entry.name))
        .map((entry) => path.join(folder, entry.name)),
    );
    await Promise.all(folders.map((entry) => visit(path.join(folder, entry.name))));
  };
  await visit(root);
  return found.sort();
}
