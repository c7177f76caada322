import { expect } from 'chai';
import { load } from 'cheerio';
import type { Tool } from '../../../../../kernel/index.ts';
import { htmlPage } from '../../../../../plugins/toolkit/docs/site/html-page.ts';
import { renderedPage } from '../../../../../plugins/toolkit/docs/site/rendered-page.ts';
import { toolPage } from '../../../../../plugins/toolkit/docs/site/tool-page.ts';
import { echoTool, testKernel } from '../../../../support/test-kernel.ts';

/** A tool all of whose texts say this. */
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

/** The page as a browser reads it. */
const pageOf = (tool: Tool, title: string) =>
  load(htmlPage({ title, address: 'tools/echo.html', content: renderedPage(toolPage(tool), (href) => href).html, menu: [] }));

/** What a page is built of, apart from code in lines: a row has an id where it begins with code. */
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
  ])
    it(`gets no markup from what a definition says: ${text.replaceAll('\n', ' ')}`, async () => {
      const page = pageOf(await toolOf(text), text);
      expect(elementsOf(page)).to.deep.equal(elementsOf(pageOf(await toolOf('words'), 'words')));
      expect(page('main p').first().text().replace(/[`\s]/g, '')).to.equal(text.replace(/[`\s]/g, ''));
    });
});
