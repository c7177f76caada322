import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { PluginFactory } from '../../kernel/index.ts';
import { exactEncodings } from '../../plugins/executor-http/request/encodings.ts';
import { httpTool } from '../plugins/executor-http/http-tool.ts';
import { json, loopback, type SeenRequest } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { filesOf, readGuide } from './guide.ts';

interface Sample {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly execution: { readonly url: string; readonly parameter_encoding?: { readonly encoding: string } };
  readonly examples: readonly { readonly parameters: Readonly<Record<string, unknown>> }[];
}

const guide = await readGuide('plugins/toolkit/ENCODINGS.md');

/** Each definition with the block that shows its request. */
const samples = guide.flatMap(({ language, code }, index) =>
  language === 'yaml' ? [{ ...(parse(code) as Sample), request: guide[index + 1]?.code.trimEnd() ?? '' }] : [],
);

/** Runs the example of a sample against a server of the test, and returns the request. */
async function requestOf(
  { execution, parameters, examples, ...rest }: Sample,
  plugins: readonly PluginFactory<never>[],
): Promise<SeenRequest> {
  const { url, requests } = await loopback((_request, response) => json(response, {}));
  const call = await httpTool({
    execution: { ...execution, url: execution.url.replace('https://api.example.com', url) },
    parameters,
    plugins: plugins.map((plugin) => plugin({} as never)),
    roots: [await temporaryFolder()],
  });
  expect(rest.name).to.be.a('string');
  await call(examples[0]?.parameters);
  const [request] = requests;
  if (request === undefined) throw new Error(`${rest.name} sent no request.`);
  return request;
}

/** The plugin of the page. */
async function morse(): Promise<PluginFactory<never>> {
  const folder = await temporaryFolder({ 'package.json': '{ "type": "module" }', ...filesOf(guide) });
  const { default: factory } = (await import(pathToFileURL(path.join(folder, 'encodings/morse.js')).href)) as {
    default: PluginFactory<never>;
  };
  return factory;
}

describe('the page about encodings', () => {
  it('has a sample for each encoding of this program, and one of a plugin', () => {
    const shown = samples.flatMap(({ execution }) => execution.parameter_encoding?.encoding ?? []);
    expect(shown).to.have.members([...exactEncodings, 'mime_rfc2822_base64url', 'morse']);
  });

  for (const { request, ...sample } of samples.filter(({ request: shown }) => /^(GET|POST) /.test(shown)))
    it(`shows the request of ${sample.name}`, async () => {
      const plugins = sample.execution.parameter_encoding?.encoding === 'morse' ? [await morse()] : [];
      const { method, url, body } = await requestOf(sample, plugins);
      expect([`${method} ${url}`, ...(body === '' ? [] : [body])].join('\n')).to.equal(request);
    });

  it('shows the mail of mail_send', async () => {
    const [mail] = samples.filter(({ name }) => name === 'mail_send');
    if (mail === undefined) throw new Error('The page has no mail_send.');
    const { raw } = JSON.parse((await requestOf(mail, [])).body) as { raw: string };
    const message = Buffer.from(raw, 'base64url').toString('utf8');
    for (const line of mail.request.split('\n').filter((text) => text !== '')) expect(message).to.include(line);
  });
});
