import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { start } from '../program.ts';

const tool = (name: string): string =>
  `name: ${name}\ndescription: Says ${name}.\nparameters: {}\nexecution: { type: function, code: ./${name}.mjs }\nrisk: low\n`;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
}

async function toolkit(args: readonly string[], options: Parameters<typeof start>[1]): Promise<Ended> {
  const started = start(args, options);
  started.child.stdin?.end();
  const { code } = await started.exit;
  return { code, stdout: started.stdout() };
}

const names = ['iota', 'i_one', 'iz', 'zeta', 'a_1', 'a1', 'a_b'];

const files: readonly (readonly [string, string])[] = [
  ['toolkit.config.yaml', 'plugins:\n  - [toolkit/standard, { toolPaths: [./tools], autoDiscover: false }]\n'],
  ...names.flatMap((name) => [
    [`tools/${name}.yaml`, tool(name)] as const,
    [`tools/${name}.mjs`, `export default () => '${name}';\n`] as const,
  ]),
];

async function lockedWith(locale: string, order: readonly (readonly [string, string])[], below: string): Promise<string> {
  const folder = path.join(await temporaryFolder(), below);
  for (const [name, text] of order) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  const env = { LANG: locale, LC_ALL: locale };
  expect((await toolkit(['lock'], { cwd: folder, env })).code).to.equal(0);
  return folder;
}

describe('toolkit lock', () => {
  it('writes the same bytes at another path, in another locale, for files made in another order', async () => {
    const one = await lockedWith('C', files, 'one');
    const other = await lockedWith('tr_TR.UTF-8', files.toReversed(), 'İ other');
    for (const file of ['toolkit.lock', ...names.map((name) => `toolkit.lock.d/tools/${name}.json`)])
      expect(await readFile(path.join(other, file)), file).to.deep.equal(await readFile(path.join(one, file)));
  });

  it('ends with 2 where something differs, names it, and gives it no more to callers', async () => {
    const folder = await lockedWith('C', files, 'project');
    await writeFile(path.join(folder, 'tools/zeta.mjs'), "export default () => 'other';\n");
    const check = await toolkit(['lock', '--check'], { cwd: folder });
    expect(check.code).to.equal(2);
    expect(check.stdout).to.match(/^changed +tool +zeta +code$/m);
    expect((await toolkit(['doctor', '--tools', 'zeta'], { cwd: folder })).code).to.equal(11);
    expect((await toolkit(['tools', 'pending'], { cwd: folder })).stdout).to.match(/withheld +tool +zeta/);
    expect((await toolkit(['accept', '--yes'], { cwd: folder })).code).to.equal(0);
    expect((await toolkit(['doctor', '--tools', 'zeta'], { cwd: folder })).code).to.equal(0);
  });
});
