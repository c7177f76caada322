/** `npx tsx test/bench/sandbox-cost.ts`: how long calls take in the sandbox and without it, as medians of paired runs. Linux, with bubblewrap. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sandboxBwrap } from '../../plugins/sandbox-bwrap/index.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';

const pairs = 20;
const warmUps = 3;
/** Files in the root, in folders of 20. */
const sizes = [20, 2000] as const;

const definitions = {
  'bench_command.yaml': 'name: bench_command\ndescription: x\nexecution: { type: command, command: "true" }\n',
  'bench_python.yaml': 'name: bench_python\ndescription: x\nexecution: { type: function, code: ./bench.py }\n',
  'bench.py': 'def run(parameters, context):\n    return 1\n',
};

for (const size of sizes) {
  const root = await mkdtemp(path.join(os.tmpdir(), 'toolkit-sandbox-cost-'));
  await mkdir(path.join(root, 'tools'));
  for (const [name, text] of Object.entries(definitions)) await writeFile(path.join(root, 'tools', name), text);
  for (let index = 0; index < size; index += 1) {
    const folder = path.join(root, 'src', String(Math.floor(index / 20)));
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${index}.ts`), '');
  }
  const open = (plugins: Parameters<typeof Toolkit.init>[0]): Promise<Toolkit> =>
    Toolkit.init({ cwd: root, toolPaths: ['tools'], autoDiscover: false, ...plugins });
  const plain = await open({});
  const sandboxed = await open({ plugins: [sandboxBwrap({ roots: [root] })] });
  const calls = [
    ['bench_command', {}],
    ['system_execute', { command: 'true', working_directory: root }],
    ['bench_python', {}],
  ] as const;
  for (const [tool, parameters] of calls) {
    const timeOf = async (toolkit: Toolkit): Promise<number> => {
      const startedAt = performance.now();
      await toolkit.execute(tool, parameters);
      return performance.now() - startedAt;
    };
    const times: (readonly [number, number])[] = [];
    for (let run = 0; run < warmUps + pairs; run += 1) times.push([await timeOf(plain), await timeOf(sandboxed)]);
    const measured = times.slice(warmUps);
    const shown = [measured.map(([a]) => a), measured.map(([, b]) => b), measured.map(([a, b]) => b - a)].map(median);
    process.stdout.write(`${size} files, ${tool}: ${shown[0]} ms without, ${shown[1]} ms in the sandbox, ${shown[2]} ms more\n`);
  }
  await Promise.all([plain.close(), sandboxed.close()]);
  await rm(root, { recursive: true });
}

function median(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1);
}
