import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { pin } from '../../../plugins/shared/pinned-code/code-file.ts';
import { CodeLedger } from '../../../plugins/shared/pinned-code/code-ledger.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { naming, packageKernel, scope, shopTools, toolYaml } from './package-kernel.ts';

interface Project {
  readonly folder: string;
  readonly ledger: CodeLedger;
}

/** A project whose package.json a model has written, so that it names what came along with another package. */
async function written(packages: readonly string[] = []): Promise<Project> {
  const folder = await temporaryFolder({ [`${scope}/shop/a.yaml`]: toolYaml('shop_a'), 'package.json': naming('shop') });
  const ledger = new CodeLedger(folder);
  ledger.addWritten([{ ...pin(path.join(folder, 'package.json'), 'dependencies'), tool: 'fs_write_file', packages }]);
  return { folder, ledger };
}

describe('a package that a model has named as a dependency', () => {
  it('offers no tools until somebody has accepted that, and is named as a problem', async () => {
    const { folder, ledger } = await written();
    const withheld = await packageKernel(folder);
    expect(shopTools(withheld)).to.deep.equal([]);
    expect(withheld.registry.problems.map(({ message }) => message).join()).to.include(
      '"@toolkit/shop" is named by the project since a model wrote that',
    );
    ledger.accept(ledger.unaccepted());
    expect(shopTools(await packageKernel(folder))).to.deep.equal(['shop_a']);
  });

  it('is taken where its tools were offered before the write', async () => {
    const { folder } = await written(['@toolkit/shop']);
    expect(shopTools(await packageKernel(folder))).to.deep.equal(['shop_a']);
  });

  it('is taken when the operator has written the manifest since', async () => {
    const { folder } = await written();
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ dependencies: { '@toolkit/shop': '*', zod: '*' } }));
    expect(shopTools(await packageKernel(folder))).to.deep.equal(['shop_a']);
  });

  it('is taken when the options of the operator allow it', async () => {
    const { folder } = await written();
    expect(shopTools(await packageKernel(folder, { python: false, allowPackages: ['@toolkit/shop'] }))).to.deep.equal(['shop_a']);
  });

  it('stays withheld in a reload of the operator', async () => {
    const { folder } = await written();
    const kernel = await packageKernel(folder);
    await kernel.reload();
    expect(shopTools(kernel)).to.deep.equal([]);
  });
});
