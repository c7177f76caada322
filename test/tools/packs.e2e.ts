import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Tool } from '../../kernel/index.ts';
import { packFolder, packNames, packToolkit } from './packs.ts';

const run = promisify(execFile);
const root = JSON.parse(await readFile('package.json', 'utf8')) as { workspaces: string[] };
const names = await packNames();

/** Number of tools of each provider. */
const counts: Readonly<Record<string, number>> = {
  apiclient: 7,
  data: 7,
  github: 22,
  gmail: 5,
  hubspot: 50,
  mailchimp: 7,
  notion: 7,
  postgres: 1,
  slack: 16,
  twilio: 4,
};

/** Those that call no service. */
const withoutCredentials: ReadonlySet<string> = new Set(['apiclient', 'data']);

async function toolsOf(name: string): Promise<readonly Tool[]> {
  return (await packToolkit(name)).listTools().filter(({ provider }) => provider?.name === name);
}

interface Pack {
  readonly name: string;
  readonly files: readonly { readonly path: string }[];
}

let packing: Promise<readonly Pack[]> | undefined;

/** Returns the files that npm would publish, asked once. */
function packed(): Promise<readonly Pack[]> {
  packing ??= run('npm', ['pack', '--workspaces', '--dry-run', '--json', '--ignore-scripts']).then(
    ({ stdout }) => JSON.parse(stdout) as Pack[],
  );
  return packing;
}

describe('provider packages', () => {
  it('are known to the workspace and to the build', () => {
    expect(names.map((name) => `tools/${name}`)).to.deep.equal(root.workspaces);
  });

  for (const name of names) {
    describe(`@toolkit/${name}`, () => {
      it('is found in node_modules, whole and without a warning', async () => {
        const { registry } = (await packToolkit(name)).kernel;
        expect(registry.problems.filter(({ file = '' }) => file.startsWith(`${packFolder(name)}/`))).to.deep.equal([]);
        expect(await toolsOf(name)).to.have.lengthOf(counts[name] ?? 0);
        expect([...registry.skills.keys()]).to.include(name);
      });

      it('publishes every definition, the skill, the README and nothing else', async () => {
        const { files = [] } = (await packed()).find((pack) => pack.name === `@toolkit/${name}`) ?? {};
        const written = (await readdir(packFolder(name))).filter((file) => /\.(yaml|js)$/.test(file));
        expect(files.map((file) => file.path).sort()).to.deep.equal(['README.md', 'SKILL.md', 'package.json', ...written].sort());
      });

      it('depends on toolkit as a peer that may be missing, and runs nothing when it is installed', async () => {
        const manifest = JSON.parse(await readFile(path.join(packFolder(name), 'package.json'), 'utf8')) as Record<string, unknown>;
        expect(manifest).to.include({ name: `@toolkit/${name}`, license: 'MIT', type: 'module' });
        expect(manifest['peerDependencies']).to.deep.equal({ '@toolkit/core': '>=0.1.0' });
        expect(manifest['peerDependenciesMeta']).to.deep.equal({ '@toolkit/core': { optional: true } });
        expect(manifest).to.not.have.any.keys('scripts', 'devDependencies');
      });

      it('shows no credential in a published schema', async () => {
        for (const { inputSchema, outputSchema, credentials } of await toolsOf(name)) {
          expect(credentials.length > 0).to.equal(!withoutCredentials.has(name));
          const shown = JSON.stringify([inputSchema, outputSchema]);
          for (const credential of credentials) expect(shown).to.not.include(`"${credential.name}"`);
        }
      });

      it('has two examples and more for every tool', async () => {
        const few = (await toolsOf(name)).filter(({ definition }) => (definition.examples ?? []).length < 2);
        expect(few.map((tool) => tool.name)).to.deep.equal([]);
      });
    });
  }
});
