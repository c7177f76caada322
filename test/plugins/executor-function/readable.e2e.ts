import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';

const run = promisify(execFile);

const source = (place: string): string => new URL(`../../../${place}`, import.meta.url).href;

const value = 'value-that-the-server-was-started-with';

/** A server of its own, with a secret in its environment, and what its handlers find. Their tools name no secret. */
const files = {
  'python.yaml': JSON.stringify({ name: 'python', description: 'd', execution: { type: 'function', code: './reads.py' } }),
  'thread.yaml': JSON.stringify({ name: 'thread', description: 'd', execution: { type: 'function', code: './reads.mjs', worker: true } }),
  'process.yaml': JSON.stringify({ name: 'process', description: 'd', execution: { type: 'function', code: './reads.mjs' } }),
  'own.txt': 'a file of the account',
  'reads.py': `import os
def text(file):
    try:
        with open(file) as stream:
            return stream.read()
    except OSError:
        return ""
def run(params, context):
    return {
        "given": sorted(context.secrets),
        "environment": "PLANTED_TOKEN" in os.environ,
        "system": "${value}" in text("/proc/%d/environ" % os.getppid()),
        "file": text(os.path.join(os.path.dirname(__file__), "own.txt")),
    }
`,
  'reads.mjs': `import { readFileSync } from 'node:fs';
const text = (file) => { try { return readFileSync(file, 'utf8'); } catch { return ''; } };
export default (_, { secrets }) => ({
  given: Object.keys(secrets),
  environment: 'PLANTED_TOKEN' in process.env,
  system: text('/proc/' + process.pid + '/environ').includes('${value}'),
  file: text(new URL('own.txt', import.meta.url)),
});
`,
  'host.mts': `import { createKernel } from '${source('kernel/index.ts')}';
import { executorFunction } from '${source('plugins/executor-function/index.ts')}';
import { toolFiles } from '${source('plugins/tool-files/index.ts')}';
const kernel = await createKernel({ plugins: [executorFunction(), toolFiles({ toolPaths: [import.meta.dirname] })] });
const found = {};
for (const tool of ['python', 'thread', 'process']) found[tool] = await kernel.execute(tool);
process.stdout.write(JSON.stringify(found));
await kernel.close();
`,
};

describe('what a handler can read although its tool names no secret', () => {
  // Another process of the same account may read with which environment a process was started; only Linux has it as a file.
  const system = process.platform === 'linux';
  const file = files['own.txt'];

  it('is, as the README says, every file of the account, and the environment of the server', async () => {
    const folder = await temporaryFolder(files);
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, PLANTED_TOKEN: value };
    const { stdout } = await run(process.execPath, ['--import', 'tsx', path.join(folder, 'host.mts')], { env });
    expect(JSON.parse(stdout)).to.deep.equal({
      python: { given: [], environment: false, system, file },
      thread: { given: [], environment: false, system, file },
      process: { given: [], environment: true, system, file },
    });
  });
});
