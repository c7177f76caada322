import { expect } from 'chai';
import type { load } from 'cheerio';
import type { Tool } from '../../../../../kernel/index.ts';
import { toolPage } from '../../../../../plugins/toolkit/docs/site/tool-page.ts';
import { echoTool, testKernel } from '../../../../support/test-kernel.ts';
import { siteDocument, siteHtml } from './site-reader.ts';

/** Returns a tool with this text wherever a definition may have one. */
async function toolOf(text: string): Promise<Tool> {
  const definition = echoTool({
    description: text,
    parameters: { text: { type: 'string', description: text, enum: [text], default: text } },
    output_schema: { type: 'object', properties: { [text]: { type: 'string', description: text } } },
    tags: [text],
    examples: [{ description: text, parameters: { text } }],
  });
  return (await testKernel({ tools: [definition] })).registry.tools.get('echo') as Tool;
}

/** Returns the elements of a page without code in lines. A row that begins with code counts like one without an id. */
const elementsOf = (page: ReturnType<typeof load>): readonly string[] =>
  page('*:not(code)')
    .get()
    .map((element) => `${page(element).prop('tagName')} ${Object.keys(page(element).attr() ?? {})}`.replace('TR id', 'TR '));

describe('the page of a tool', () => {
  for (const text of [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</title><script>alert(1)</script>',
    '[x](javascript:alert(1)) <a href="//evil.example">y</a>',
    '```\n</code></pre><iframe src=//evil.example></iframe>\n```',
    '| <b>x</b> | `\\|` |',
    '{{x}} <y> `{{x}} <y>`',
  ])
    it(`gets no markup from what a definition says: ${text.replaceAll('\n', ' ')}`, async () => {
      const page = siteDocument(toolPage(await toolOf(text)));
      expect(elementsOf(page)).to.deep.equal(elementsOf(siteDocument(toolPage(await toolOf('words')))));
      expect(page('main p').first().text().replace(/[`\s]/g, '')).to.equal(text.replace(/[`\s]/g, ''));
    });

  it('has no {{ of a definition outside blocks of code, where Vue would put in a value', async () => {
    const html = siteHtml(toolPage(await toolOf('{{x}} and `{{y}}`')));
    expect(html.replaceAll(/<pre>.*?<\/pre>/gs, '')).to.not.include('{{');
  });
});
