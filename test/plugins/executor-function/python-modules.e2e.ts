import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { compiled } from '../../support/compiled.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { functionKernel } from './function-kernel.ts';
import { ended } from './processes.ts';

const one = { maxPythonWorkers: 1 };

/** Writes a file with a modification time of its own, however coarse the clock of the file system is. */
async function edit(file: string, text: string, second: number): Promise<void> {
  await writeFile(file, text);
  await utimes(file, second, second);
}

describe('the module of a Python function', () => {
  const broken = [
    { what: 'throws while it loads', text: 'x = 1\n\nraise RuntimeError("no licence")\n', says: 'RuntimeError: no licence (it.py:3)' },
    { what: 'has a syntax error', text: 'def run(params, context):\n  return (\n', says: '(it.py, line 2)' },
    { what: 'imports what is not there', text: '\nimport absent_module\n', says: "No module named 'absent_module' (it.py:2)" },
    { what: 'exits while it loads', text: 'import sys\nsys.exit(3)\n', says: 'SystemExit: 3' },
  ];
  for (const { what, text, says } of broken) {
    it(`is refused when it ${what}, and its process goes on`, async () => {
      const files = { 'it.py': text, 'ok.py': 'def run(params, context):\n    return "fine"\n' };
      const { kernel, folder } = await functionKernel({ files, tools: { it: './it.py', ok: './ok.py' }, executor: one });
      const error = await rejection(kernel.execute('it'), 'TOOL_INVALID');
      expect(error.message)
        .to.include(`${path.join(folder, 'it.py')} does not load`)
        .and.include(says);
      expect(error.details.file).to.equal(path.join(folder, 'it.py'));
      expect(await kernel.execute('ok')).to.equal('fine');
    });
  }

  it('is loaded once, and again when its file has been edited', async () => {
    const source = (answer: number): string =>
      `import os\ncalls = 0\ndef run(params, context):\n    global calls\n    calls += 1\n    return [os.getpid(), ${answer}, calls]\n`;
    const { kernel, folder } = await functionKernel({ files: { 'it.py': source(1) }, tools: { it: './it.py' }, executor: one });
    const [pid] = (await kernel.execute('it')) as [number];
    expect(await kernel.execute('it')).to.deep.equal([pid, 1, 2]);
    await edit(path.join(folder, 'it.py'), source(2), 1000);
    expect(await kernel.execute('it')).to.deep.equal([pid, 2, 1]);
    await edit(path.join(folder, 'it.py'), 'raise ValueError("half written")', 2000);
    await rejection(kernel.execute('it'), 'TOOL_INVALID');
    await edit(path.join(folder, 'it.py'), source(3), 3000);
    expect(await kernel.execute('it')).to.deep.equal([pid, 3, 1]);
  });

  it('is loaded again with the modules beside it', async () => {
    const files = { 'it.py': 'import words\ndef run(params, context):\n    return words.word\n', 'words.py': 'word = "old"\n' };
    const { kernel, folder } = await functionKernel({ files, tools: { it: './it.py' }, executor: one });
    expect(await kernel.execute('it')).to.equal('old');
    await edit(path.join(folder, 'words.py'), 'word = "new"\n', 1000);
    await edit(path.join(folder, 'it.py'), files['it.py'], 1000);
    expect(await kernel.execute('it')).to.equal('new');
  });

  it('may have a neighbour of the same name as another tool has', async () => {
    const source = 'import client\ndef run(params, context):\n    import late\n    return [client.name, late.name]\n';
    const files = Object.fromEntries(
      ['a', 'b'].flatMap((folder) => [
        [`${folder}/it.py`, source],
        [`${folder}/client/__init__.py`, `from client.inner import name\n`],
        [`${folder}/client/inner.py`, `name = "${folder}"\n`],
        [`${folder}/late.py`, `name = "late ${folder}"\n`],
      ]),
    );
    const { kernel } = await functionKernel({ files, tools: { a: './a/it.py', b: './b/it.py' }, executor: one });
    for (const name of ['a', 'b', 'a', 'b']) expect(await kernel.execute(name)).to.deep.equal([name, `late ${name}`]);
  });

  it('inside a package imports from that package', async () => {
    const files = {
      'shop_tools/__init__.py': 'version = 7\n',
      'shop_tools/client.py': 'def call():\n    return "called"\n',
      'shop_tools/orders/__init__.py': '',
      'shop_tools/orders/it.py':
        'from shop_tools import version\nfrom ..client import call\ndef run(params, context):\n    return [call(), version, __name__]\n',
    };
    const { kernel } = await functionKernel({ files, tools: { it: './shop_tools/orders/it.py' }, executor: one });
    expect(await kernel.execute('it')).to.deep.equal(['called', 7, 'shop_tools.orders.it']);
  });

  it('is found in the folder of its definition, whatever the working directory is', async () => {
    const files = { 'lib/it.py': 'def run(params, context):\n    return __file__\n' };
    const { kernel, folder } = await functionKernel({ files, tools: { it: './lib/it.py' } });
    expect(await kernel.execute('it')).to.equal(path.join(folder, 'lib/it.py'));
  });
});

describe('a Python process whose host is killed', () => {
  it('ends by itself, even in an endless loop, with what it started', async () => {
    const from = (place: string): string => path.resolve(place);
    const folder = await temporaryFolder({
      'it.yaml': JSON.stringify({ name: 'it', description: 'Loops.', execution: { type: 'function', code: './it.py' } }),
      'it.py': `import os, subprocess
def run(params, context):
    context.progress(os.getpid(), total=subprocess.Popen(["sleep", "1000"]).pid)
    while True:
        pass
`,
      'host.mts': `import { createKernel } from '${from('kernel/index.ts')}';
import { executorFunction } from '${from('plugins/executor-function/index.ts')}';
import { toolFiles } from '${from('plugins/tool-files/index.ts')}';
const kernel = await createKernel({ plugins: [executorFunction(), toolFiles({ toolPaths: [process.argv[2]] })] });
await kernel.call({ tool: 'it', onProgress: (note) => process.stdout.write(JSON.stringify(note) + '\\n') });
`,
    });
    const host = spawn(process.execPath, [await compiled(path.join(folder, 'host.mts')), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string];
      const { progress, total } = JSON.parse(line) as { progress: number; total: number };
      host.kill('SIGKILL');
      await ended(progress);
      await ended(total);
    } finally {
      host.kill('SIGKILL');
    }
  });
});
