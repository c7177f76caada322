import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { readAssets } from '../../../plugins/console/assets.ts';
import { shellOf } from '../../../plugins/console/shell.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A folder as the build writes it. */
async function built(names: unknown = { script: 'app-Z1.js', style: 'app-Q2.css' }): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'assets.json'), JSON.stringify(names));
  await writeFile(path.join(folder, 'app-Z1.js'), 'start()');
  await writeFile(path.join(folder, 'app-Q2.css'), 'body{}');
  return folder;
}

describe('the script and the style of the console', () => {
  it('are served for good at addresses that change with their content', async () => {
    const assets = await readAssets(await built());
    const script = assets?.responseTo({ path: '/console/assets/app-Z1.js', headers: {} });
    expect(script).to.include({ status: 200, body: 'start()' });
    expect(script?.headers).to.include({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(assets?.responseTo({ path: '/console/assets/app-Q2.css', headers: {} })?.headers).to.include({
      'content-type': 'text/css; charset=utf-8',
    });
  });

  const encodings: readonly (readonly [accepted: string | undefined, isCompressed: boolean])[] = [
    ['gzip, deflate, br, zstd', true],
    ['*', true],
    ['br', false],
    ['gzip;q=0', false],
    ['identity', false],
    [undefined, false],
  ];
  for (const [accepted, isCompressed] of encodings)
    it(`are sent ${isCompressed ? 'compressed' : 'as they are'} to a client that takes ${accepted ?? 'what it gets'}`, async () => {
      const assets = await readAssets(await built());
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const { body = '', ...head } = assets?.responseTo({ path: '/console/assets/app-Z1.js', headers }) ?? expect.fail();
      expect(head.headers?.['content-encoding']).to.equal(isCompressed ? 'gzip' : undefined);
      expect(head.headers).to.include({ vary: 'accept-encoding' });
      expect(isCompressed ? gunzipSync(body as Uint8Array).toString() : body).to.equal('start()');
      expect(assets?.responseTo({ path: '/console/assets/app-Z2.js', headers })).to.equal(undefined);
    });

  it('are in the page, which has no code of its own', async () => {
    const assets = await readAssets(await built());
    const shell = String(shellOf(assets).body);
    expect(shell)
      .to.contain('<div id="app"></div>')
      .and.contain('src="/console/assets/app-Z1.js"')
      .and.contain('href="/console/assets/app-Q2.css"');
    expect(shell).to.not.match(/<script[^>]*>[^<]| style=| on\w+=/);
  });

  it('are missing without a build, which the page says', async () => {
    const assets = await readAssets(path.join(await temporaryFolder(), 'none'));
    expect(assets).to.equal(undefined);
    expect(shellOf(assets)).to.include({ status: 200 });
    expect(String(shellOf(assets).body))
      .to.contain('npm run build')
      .and.not.contain('<script');
  });

  const odd: readonly (readonly [what: string, names: unknown])[] = [
    ['a path', { script: '../index.js', style: 'app-Q2.css' }],
    ['another kind of file', { script: 'app-Q2.css', style: 'app-Q2.css' }],
    ['a file that is not there', { script: 'app-none.js', style: 'app-Q2.css' }],
    ['no name', {}],
    ['a list', []],
  ];
  for (const [what, names] of odd)
    it(`are missing where the list of them has ${what}`, async () => {
      expect(await readAssets(await built(names))).to.equal(undefined);
    });
});
