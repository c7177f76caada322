import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { makePdf } from './make-pdf.ts';

const { coreToolkit } = coreGroup('convert');

const tools = [
  'convert_csv_to_json',
  'convert_html_to_markdown',
  'convert_html_to_text',
  'convert_json_to_csv',
  'convert_json_to_toml',
  'convert_json_to_xml',
  'convert_json_to_yaml',
  'convert_jsonl_to_json',
  'convert_markdown_to_html',
  'convert_toml_to_json',
  'convert_xml_to_json',
  'convert_yaml_to_json',
];

describe('the examples of the tools that convert', () => {
  const shared = sharedToolkit();

  it('are all there', () => {
    const found = shared.toolkit.listTools().filter(({ name }) => name.startsWith('convert_'));
    expect(found.map(({ name }) => name)).to.have.members([...tools, 'convert_pdf_to_text']);
  });

  for (const name of tools) {
    it(`give what they promise for ${name}`, async () => {
      const { examples = [] } = shared.toolkit.kernel.registry.get(name).definition;
      expect(examples).to.not.have.length(0);
      for (const { parameters, output } of examples) expect(await shared.toolkit.execute(name, parameters)).to.deep.equal(output);
    });
  }

  it('run for convert_pdf_to_text in a folder with a report', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'report.pdf'), makePdf([['Sums'], ['More sums']]));
    const toolkit = await coreToolkit({ roots: [folder] });
    const { examples = [] } = toolkit.kernel.registry.get('convert_pdf_to_text').definition;
    expect(examples).to.not.have.length(0);
    for (const { parameters } of examples)
      expect(await toolkit.execute('convert_pdf_to_text', parameters)).to.deep.include({
        pages: [
          { number: 1, text: 'Sums' },
          { number: 2, text: 'More sums' },
        ],
      });
  });
});
