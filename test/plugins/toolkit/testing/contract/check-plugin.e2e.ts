import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { brokenPlugins, clearBroken } from '../../../../../fixtures/plugins/broken-plugins.ts';
import { apiVersion, definePlugin } from '../../../../../kernel/index.ts';
import { captureOutput } from '../../../../../plugins/toolkit/testing/contract/capture-output.ts';
import { checkPlugin, pluginChecks } from '../../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../../support/after-each.ts';

afterEach(clearBroken);

/** The suite as it is built, for what it imports in a process of its own: one that compiles the sources takes a second to start. */
const { checkPlugin: builtCheckPlugin } = (await import(
  pathToFileURL(path.resolve('dist/plugins/toolkit/testing.js')).href
)) as typeof import('../../../../../plugins/toolkit/testing.ts');

const sound = definePlugin({ name: 'sound', apiVersion, apply: ({ hooks }) => hooks.settled.tap('sound', () => {}) });

describe('the contract suite', () => {
  for (const [says, { factory, options, settings }] of Object.entries(brokenPlugins))
    it(`says of a broken plugin this alone: ${says}`, async () => {
      const check = settings?.module === undefined ? checkPlugin : builtCheckPlugin;
      // Some print.
      const { result: failures } = await captureOutput(() => check(factory, options as never, settings));
      expect(failures.map((failure) => failure.slice(0, says.length))).to.deep.equal([says]);
    });

  it('has at least forty checks, and for each of them a plugin that breaks it', () => {
    const titles = pluginChecks(sound, undefined, { module: 'file:///sound.js' }).map(({ title }) => title);
    expect(titles.length).to.be.at.least(40);
    expect(new Set(titles).size).to.equal(titles.length);
    const shown = Object.keys(brokenPlugins);
    expect(titles.filter((title) => !shown.some((says) => says.startsWith(`${title}: `)))).to.deep.equal([]);
  });

  describe('as tests of a runner', () => {
    for (const { title, run } of pluginChecks(sound)) it(title, run);
  });
});
