import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { findPythonDistributions, sitePackages as sitePackagesOf } from '../../../plugins/tool-packages/python-distributions.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { packageKernel, shopTools, toolYaml } from './package-kernel.ts';

const record = (...files: readonly string[]): string => files.map((file) => `${file},sha256=abc,12\r\n`).join('');

const wordTool = 'name: shop_word\ndescription: Says a word.\nexecution: { type: function, code: "./word.py" }\n';

/** A project that names these distributions. */
const projectOf = (...names: readonly string[]): Promise<string> => temporaryFolder({ 'requirements.txt': names.join('\n') });

/** A site-packages folder with one distribution: a provider, a Python tool that uses the rest of its package, and a command. */
function sitePackages(): Promise<string> {
  return temporaryFolder({
    'toolkit_shop-1.0.dist-info/RECORD': record(
      'toolkit_shop/__init__.py',
      'toolkit_shop/definition.yaml',
      'toolkit_shop/word/definition.yml',
      'toolkit_shop/buy.yaml',
      'toolkit_shop-1.0.dist-info/RECORD',
    ),
    'toolkit_shop/__init__.py': '',
    'toolkit_shop/client.py': 'from neighbour import mark\ndef call():\n    return "called" + mark\n',
    'toolkit_shop/definition.yaml': 'provider: { name: shop }\n',
    'toolkit_shop/word/__init__.py': '',
    'toolkit_shop/word/definition.yml': wordTool,
    'toolkit_shop/word/word.py': 'from ..client import call\nasync def run(params, context):\n    return call()\n',
    'toolkit_shop/buy.yaml': toolYaml('shop_buy'),
    'toolkit_shop/unlisted.yaml': toolYaml('shop_unlisted'),
    'neighbour.py': 'mark = "!"\n',
    'requests-2.0.dist-info/RECORD': record('requests/a.yaml'),
    'requests/a.yaml': toolYaml('shop_requests'),
  });
}

describe('Python distributions with tools', () => {
  it('with files that hold themselves, or have collections as keys, give their other tools and name those files', async () => {
    const folder = await temporaryFolder({
      'toolkit_shop-1.0.dist-info/RECORD': record('shop/buy.yaml', 'shop/round.yaml', 'shop/key.yaml', 'shop/gone.yaml'),
      'shop/buy.yaml': toolYaml('shop_buy'),
      'shop/round.yaml': `${toolYaml('shop_round')}output_schema: &s { a: *s }\n`,
      'shop/key.yaml': `${toolYaml('shop_key')}? [a]\n: b\n`,
    });
    const kernel = await packageKernel(await projectOf('toolkit-shop'), { pythonPaths: [folder] });
    expect(shopTools(kernel)).to.deep.equal(['shop_buy']);
    const named = kernel.registry.problems.map(({ file }) => path.relative(folder, file ?? ''));
    expect(named).to.include.members(['shop/round.yaml', 'shop/key.yaml', 'shop/gone.yaml']);
  });

  it('are found by their name, with the YAML files in their RECORD and their provider', async () => {
    const folder = await sitePackages();
    const kernel = await packageKernel(await projectOf('toolkit-shop', 'toolkit-a', 'toolkit-b'), { pythonPaths: [folder] });
    expect(shopTools(kernel)).to.deep.equal(['shop_buy', 'shop_word']);
    const { origin, provider } = kernel.registry.get('shop_word');
    expect(origin).to.include({ trust: 'package', file: path.join(folder, 'toolkit_shop/word/definition.yml') });
    expect(provider?.name).to.equal('shop');
  });

  it('run their Python functions, which import from their package and its neighbours', async () => {
    const kernel = await packageKernel(await projectOf('toolkit-shop', 'toolkit-a', 'toolkit-b'), { pythonPaths: [await sitePackages()] });
    expect(await kernel.execute('shop_word')).to.equal('called!');
  });

  it('are not looked for when Python is switched off', async () => {
    const kernel = await packageKernel(await projectOf('toolkit-shop', 'toolkit-a', 'toolkit-b'), {
      pythonPaths: [await sitePackages()],
      python: false,
    });
    expect(shopTools(kernel)).to.deep.equal([]);
  });

  it('count once, from the first path', async () => {
    const [first, second] = [await sitePackages(), await sitePackages()];
    const kernel = await packageKernel(await projectOf('toolkit-shop', 'toolkit-a', 'toolkit-b'), { pythonPaths: [first, second] });
    expect(shopTools(kernel)).to.deep.equal(['shop_buy', 'shop_word']);
    expect(kernel.registry.get('shop_buy').origin.file).to.equal(path.join(first, 'toolkit_shop/buy.yaml'));
  });

  it('that are editable are read where their project is', async () => {
    const project = await temporaryFolder({ 'src/toolkit_desk/a.yaml': toolYaml('shop_desk') });
    const folder = await temporaryFolder({
      'toolkit_desk-0.1.dist-info/direct_url.json': JSON.stringify({ url: pathToFileURL(project).href, dir_info: { editable: true } }),
      'toolkit_desk-0.1.dist-info/RECORD': record('toolkit_desk.pth'),
    });
    const kernel = await packageKernel(await projectOf('toolkit-desk'), { pythonPaths: [folder] });
    expect(shopTools(kernel)).to.deep.equal(['shop_desk']);
  });

  const damaged = ['{ not json', '[]', 'null', '{"url": "file://other-host/x", "dir_info": {"editable": true}}', '{"url": 3}'];
  for (const text of damaged) {
    it(`with the damaged direct_url.json ${text} are read by their RECORD, and the others are read`, async () => {
      const folder = await temporaryFolder({
        'toolkit_a-1.dist-info/direct_url.json': text,
        'toolkit_a-1.dist-info/RECORD': record('toolkit_a/a.yaml'),
        'toolkit_a/a.yaml': toolYaml('shop_a'),
        'toolkit_b-1.dist-info/RECORD': record('toolkit_b/b.yaml'),
        'toolkit_b/b.yaml': toolYaml('shop_b'),
      });
      expect(
        shopTools(await packageKernel(await projectOf('toolkit-shop', 'toolkit-a', 'toolkit-b'), { pythonPaths: [folder] })),
      ).to.deep.equal(['shop_a', 'shop_b']);
    });
  }

  it('with a listed file that is gone are a problem, and their other tools are read', async () => {
    const folder = await temporaryFolder({
      'toolkit_a-1.dist-info/RECORD': record('toolkit_a/gone.yaml', 'toolkit_a/a.yaml'),
      'toolkit_a/a.yaml': toolYaml('shop_a'),
    });
    const kernel = await packageKernel(await projectOf('toolkit-shop', 'toolkit-a', 'toolkit-b'), { pythonPaths: [folder] });
    expect(shopTools(kernel)).to.deep.equal(['shop_a']);
    const [problem] = kernel.registry.problems.filter(({ file }) => file?.startsWith(folder));
    expect(problem?.message).to.include('the package "toolkit-a" cannot be read').and.include('ENOENT');
  });

  it('are found in the virtual environment, on the PYTHONPATH, beside python3 and in the folder of the user', async () => {
    const files = (name: string): Record<string, string> => ({
      [`toolkit_${name}-1.dist-info/RECORD`]: record(`toolkit_${name}/x.yaml`),
      [`toolkit_${name}/x.yaml`]: toolYaml(`shop_${name}`),
    });
    const below = (place: string, given: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(given).map(([file, text]) => [`${place}/${file}`, text]));
    const folder = await temporaryFolder({
      ...below('venv/lib/python3.12/site-packages', files('venv')),
      ...below('listed', files('listed')),
      ...below('python/lib/python3.11/dist-packages', files('beside')),
      'python/bin/python3': '',
      ...below('home/.local/lib/python3.13/site-packages', files('user')),
    });
    const env = {
      VIRTUAL_ENV: `${folder}/venv`,
      PYTHONPATH: `/nowhere:${folder}/listed`,
      PATH: `/nowhere:${folder}/python/bin`,
      HOME: `${folder}/home`,
    };
    const names = (await findPythonDistributions([], env)).map(({ name }) => name);
    expect(names).to.have.members(['toolkit-venv', 'toolkit-listed', 'toolkit-beside', 'toolkit-user']);
  });

  it('are found where python3 itself looks for them', async () => {
    const script = 'import sysconfig; print(sysconfig.get_paths()["purelib"])';
    const { stdout } = await promisify(execFile)('python3', ['-c', script]);
    expect(await sitePackagesOf(process.env)).to.include(stdout.trim());
  });
});
