import { expect } from 'chai';
import { openapiPlugin } from '../../../../plugins/shared/configuration/option-edit.ts';
import { withOption } from '../../../../plugins/shared/configuration/with-option.ts';

const edit = { plugin: openapiPlugin, path: ['sources', 'box'], value: { document: './box.json' } };

interface Case {
  readonly file: string;
  readonly text: string;
  /** The changed text; without one the form is not understood. */
  readonly gives?: string;
}

const cases: Readonly<Record<string, Case>> = {
  'YAML without the plugin, with its comments': {
    file: 'toolkit.config.yaml',
    text: '# Ours.\nplugins:\n  - toolkit/standard # all\n',
    gives:
      '# Ours.\nplugins:\n  - toolkit/standard # all\n  - - toolkit/plugins/openapi\n    - sources:\n        box:\n          document: ./box.json\n',
  },
  'YAML with another source': {
    file: '.toolkitrc',
    text: 'plugins:\n  - [toolkit/plugins/openapi, { sources: { shop: { document: a.yaml } } }]\n',
    gives: 'plugins:\n  - [ toolkit/plugins/openapi, { sources: { shop: { document: a.yaml }, box: { document: ./box.json } } } ]\n',
  },
  'YAML with the plugin by name': {
    file: 'toolkit.config.yml',
    text: 'plugins:\n  - toolkit/plugins/openapi\n',
    gives: 'plugins:\n  - - toolkit/plugins/openapi\n    - sources:\n        box:\n          document: ./box.json\n',
  },
  'YAML without plugins': { file: 'toolkit.config.yaml', text: 'logLevel: info\n' },
  'JSON without the plugin': {
    file: 'toolkit.config.json',
    text: '{\n  "plugins": ["toolkit/standard"]\n}\n',
    gives:
      '{\n  "plugins": [\n    "toolkit/standard",\n    [\n      "toolkit/plugins/openapi",\n      {\n        "sources": {\n          "box": {\n            "document": "./box.json"\n          }\n        }\n      }\n    ]\n  ]\n}\n',
  },
  'package.json with another source': {
    file: 'package.json',
    text: '{\n  "name": "a",\n  "toolkit": {\n    "plugins": [\n      ["@toolkit/core/plugins/openapi", {}]\n    ]\n  }\n}\n',
    gives:
      '{\n  "name": "a",\n  "toolkit": {\n    "plugins": [\n      [\n        "@toolkit/core/plugins/openapi",\n        {\n          "sources": {\n            "box": {\n              "document": "./box.json"\n            }\n          }\n        }\n      ]\n    ]\n  }\n}\n',
  },
  'JSON that does not parse': { file: 'toolkit.config.json', text: '{"plugins": [}' },
  'TypeScript without the plugin': {
    file: 'toolkit.config.ts',
    text: "import { defineConfig, standard } from '@toolkit/core';\n\nexport default defineConfig({\n  plugins: [\n    standard({ toolPaths: ['./tools'] }), // ours [\n  ],\n});\n",
    gives:
      "import { defineConfig, standard, openapi } from '@toolkit/core';\n\nexport default defineConfig({\n  plugins: [\n    standard({ toolPaths: ['./tools'] }), // ours [\n    openapi({ sources: { box: { document: './box.json' } } }),\n  ],\n});\n",
  },
  'TypeScript in one line': {
    file: 'toolkit.config.mjs',
    text: "import { standard } from '@toolkit/core';\nexport default { plugins: [standard()] };\n",
    gives:
      "import { standard, openapi } from '@toolkit/core';\nexport default { plugins: [standard(), openapi({ sources: { box: { document: './box.json' } } })] };\n",
  },
  'TypeScript with another source': {
    file: 'toolkit.config.ts',
    text: "import { openapi } from '@toolkit/core';\nexport default {\n  plugins: [\n    openapi({\n      sources: {\n        shop: { document: 'https://shop.example/openapi.json' },\n      },\n    }),\n  ],\n};\n",
    gives:
      "import { openapi } from '@toolkit/core';\nexport default {\n  plugins: [\n    openapi({\n      sources: {\n        shop: { document: 'https://shop.example/openapi.json' },\n        box: { document: './box.json' },\n      },\n    }),\n  ],\n};\n",
  },
  'TypeScript with the plugin without options': {
    file: 'toolkit.config.ts',
    text: "import { openapi } from '@toolkit/core';\nexport default { plugins: [openapi()] };\n",
    gives:
      "import { openapi } from '@toolkit/core';\nexport default { plugins: [openapi({ sources: { box: { document: './box.json' } } })] };\n",
  },
  'TypeScript whose last text is a string': {
    file: 'toolkit.config.ts',
    text: "import { openapi } from '@toolkit/core';\nexport default { plugins: [openapi({ sources: { shop: { document: './shop.json' } /* ours */ } })] };\n",
    gives:
      "import { openapi } from '@toolkit/core';\nexport default { plugins: [openapi({ sources: { shop: { document: './shop.json' }, /* ours */ box: { document: './box.json' } } })] };\n",
  },
  'TypeScript with that source': {
    file: 'toolkit.config.ts',
    text: "import { openapi } from '@toolkit/core';\nexport default { plugins: [openapi({ sources: { box: {} } })] };\n",
  },
  'TypeScript with plugins from elsewhere': {
    file: 'toolkit.config.ts',
    text: "import { standard } from '@toolkit/core';\nexport default { plugins: makePlugins() };\n",
  },
  'TypeScript without the import': { file: 'toolkit.config.ts', text: 'export default { plugins: [] };\n' },
  'TypeScript with a template': {
    file: 'toolkit.config.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code of the configuration
    text: "import { standard } from '@toolkit/core';\nconst a = `${'plugins: ['}`;\nexport default { plugins: [standard()] };\n",
  },
  'TypeScript with options in a variable': {
    file: 'toolkit.config.ts',
    text: "import { openapi } from '@toolkit/core';\nexport default { plugins: [openapi(options)] };\n",
  },
};

describe('an option of the plugin in a configuration', () => {
  it('is written behind a member that is a string', () => {
    const text =
      "import { openapi } from '@toolkit/core';\nexport default { plugins: [openapi({ sources: { box: { document: './box.json' } } })] };\n";
    const exclude = { plugin: openapiPlugin, path: ['sources', 'box', 'exclude'], value: { operations: ["it's"] } };
    expect(withOption(text, 'toolkit.config.ts', exclude)).to.include("{ document: './box.json', exclude: { operations: ['it\\'s'] } }");
  });

  for (const [name, { file, text, gives }] of Object.entries(cases))
    it(`${gives === undefined ? 'is left to a person in' : 'is written into'} ${name}`, () => {
      expect(withOption(text, file, edit)).to.equal(gives);
    });
});

const removed: Readonly<Record<string, Case>> = {
  'YAML, with its comments': {
    file: 'toolkit.config.yaml',
    text: '# Ours.\nplugins:\n  - - toolkit/plugins/openapi\n    - sources:\n        box:\n          document: ./box.json\n        shop:\n          document: a.yaml # theirs\n',
    gives: '# Ours.\nplugins:\n  - - toolkit/plugins/openapi\n    - sources:\n        shop:\n          document: a.yaml # theirs\n',
  },
  JSON: {
    file: 'toolkit.config.json',
    text: '{\n  "plugins": [\n    [\n      "toolkit/plugins/openapi",\n      {\n        "sources": {\n          "box": {},\n          "shop": {}\n        }\n      }\n    ]\n  ]\n}\n',
    gives:
      '{\n  "plugins": [\n    [\n      "toolkit/plugins/openapi",\n      {\n        "sources": {\n          "shop": {}\n        }\n      }\n    ]\n  ]\n}\n',
  },
  'YAML without it': { file: 'toolkit.config.yaml', text: 'plugins:\n  - toolkit/plugins/openapi\n' },
  'JSON without it': { file: 'toolkit.config.json', text: '{"plugins": ["toolkit/plugins/openapi"]}' },
  code: { file: 'toolkit.config.ts', text: 'export default { plugins: [openapi({ sources: { box: {} } })] };\n' },
};

describe('an option that is removed from a configuration', () => {
  for (const [form, { file, text, gives }] of Object.entries(removed))
    it(`${gives === undefined ? 'is left to a person' : 'is gone, and all other text stays'}: ${form}`, () => {
      expect(withOption(text, file, { ...edit, value: undefined })).to.equal(gives);
    });
});
