import { csvToJson } from '../../../../tools/core/convert/csv-to-json.ts';
import { jsonToCsv } from '../../../../tools/core/convert/json-to-csv.ts';
import { jsonToToml } from '../../../../tools/core/convert/json-to-toml.ts';
import { jsonToXml } from '../../../../tools/core/convert/json-to-xml.ts';
import { jsonToYaml } from '../../../../tools/core/convert/json-to-yaml.ts';
import { jsonlToJson } from '../../../../tools/core/convert/jsonl-to-json.ts';
import { tomlToJson } from '../../../../tools/core/convert/toml-to-json.ts';
import { xmlToJson } from '../../../../tools/core/convert/xml-to-json.ts';
import { yamlToJson } from '../../../../tools/core/convert/yaml-to-json.ts';
import { untouchedPrototypes } from '../json/untouched-prototypes.ts';

const yaml = ['__proto__: {polluted: 1}', 'constructor: {prototype: {polluted: 1}}', 'a: {<<: {__proto__: {polluted: 1}}}'];
const toml = [
  '__proto__.polluted = 1',
  '[constructor.prototype]\npolluted = 1',
  '[[__proto__]]\npolluted = 1',
  'a = { __proto__ = { polluted = 1 } }',
];
const xml = [
  '<__proto__ polluted="1"/>',
  '<constructor><prototype><polluted>1</polluted></prototype></constructor>',
  '<a __proto__="1"><__proto__><polluted/></__proto__></a>',
];
const csv = ['__proto__,polluted\n1,1', 'constructor,prototype\npolluted,1'];
const jsonl = ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":12345678901234567890}}}'];

// In this process, where a change would show; the tools run in threads.
describe('the tools that convert change no prototype', () => {
  const reading: Readonly<Record<string, readonly [texts: readonly string[], read: (text: string) => unknown]>> = {
    YAML: [yaml, (text) => yamlToJson({ text, all_documents: false })],
    TOML: [toml, (text) => tomlToJson({ text })],
    XML: [xml, (text) => xmlToJson({ text, attribute_prefix: '', text_key: '__proto__' })],
    CSV: [
      csv,
      (text) => csvToJson({ text, delimiter: 'auto', header: true, infer_types: true, offset: 0 }, { output: { budget: undefined } }),
    ],
    'JSON Lines': [jsonl, (text) => jsonlToJson({ text, skip_invalid: false })],
  };
  for (const [format, [texts, read]] of Object.entries(reading)) {
    it(`when they read ${format}`, async () => {
      for (const text of texts) await untouchedPrototypes(() => read(text));
    });
  }

  it('when they write such data', async () => {
    for (const text of jsonl) {
      const data = JSON.parse(text) as { [name: string]: number };
      await untouchedPrototypes(() => jsonToYaml({ data, indent: 2 }));
      await untouchedPrototypes(() => jsonToToml({ data }));
      await untouchedPrototypes(() => jsonToXml({ data, indent: 2 }));
      await untouchedPrototypes(() => jsonToCsv({ rows: [data], delimiter: ',', header: true, neutralize_formulas: true }));
    }
  });
});
