export const folder = 'my-tools/runs';

export const functionTool = (name: string, code: string, more = ''): string =>
  `name: ${name}\ndescription: Says what it holds.\nexecution: { type: function, code: "${code}"${more} }\nrisk: low\n`;

export const commandTool = (name: string, command: string, args: readonly string[], more = ''): string =>
  `name: ${name}\ndescription: Says what it holds.\nrisk: low\nexecution: { type: command, command: ${command}, args: ${JSON.stringify(args)}${more} }\n`;

export const imports = (specifier: string): string => `import { held } from '${specifier}';\nexport const run = () => held;\n`;

export const held = (value: string): string => `export export const held = '${value}';\n`;

const pythonHandler = `import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "lib", "python"))
import held


def run(parameters, context):
    return held.VALUE
`;

/** Tools, each with one thing that runs with it and that a model may write. */
export const whatRunsFiles: Readonly<Record<string, string>> = {
  [`${folder}/runs_js.yaml`]: functionTool('runs_js', './js.mjs#run'),
  [`${folder}/js.mjs`]: imports('../../lib/up.mjs'),
  'lib/up.mjs': held('good'),
  [`${folder}/runs_ts.yaml`]: functionTool('runs_ts', './ts.ts#run'),
  [`${folder}/ts.ts`]: imports('../../lib/typed.ts'),
  'lib/typed.ts': held('good'),
  [`${folder}/runs_thread.yaml`]: functionTool('runs_thread', './thread.mjs#run', ', worker: true'),
  [`${folder}/thread.mjs`]: imports('../../lib/threaded.mjs'),
  'lib/threaded.mjs': held('good'),
  [`${folder}/runs_py.yaml`]: functionTool('runs_py', './py.py#run'),
  [`${folder}/py.py`]: pythonHandler,
  'lib/python/held.py': 'VALUE = "good"\n',
  [`${folder}/runs_script.yaml`]: commandTool('runs_script', 'python3', ['scripts/rep.py']),
  'scripts/rep.py': 'print("good")\n',
  [`${folder}/runs_names.yaml`]: commandTool('runs_names', 'python3', ['scripts/own/rep.py']),
  'scripts/own/rep.py': 'import json\ntry:\n    import yaml\nexcept ImportError:\n    pass\nprint("good")\n',
  [`${folder}/runs_module.yaml`]: commandTool('runs_module', 'python3', ['-m', 'reports.monthly']),
  'reports/__init__.py': '',
  'reports/monthly.py': 'print("good")\n',
  [`${folder}/runs_node.yaml`]: commandTool('runs_node', 'node', ['scripts/node.mjs']),
  'scripts/node.mjs': "import { held } from './part.mjs';\nconsole.log(held);\n",
  'scripts/part.mjs': held('good'),
  [`${folder}/runs_parse.yaml`]: commandTool('runs_parse', 'echo', [], ', parse: "./parse.mjs"'),
  [`${folder}/parse.mjs`]: "import { held } from '../../lib/parsed.mjs';\nexport const parse = () => held;\n",
  'lib/parsed.mjs': held('good'),
  [`${folder}/runs_hash.yaml`]: functionTool('runs_hash', '../../app/hash.mjs#run'),
  'app/hash.mjs': imports('#up'),
  'app/good.mjs': held('good'),
  'app/package.json': '{ "type": "module", "imports": { "#up": "./good.mjs" } }',
  [`${folder}/runs_paths.yaml`]: functionTool('runs_paths', '../../typed/hand.ts#run'),
  'typed/hand.ts': imports('./up'),
  'typed/up.ts': held('good'),
  'typed/tsconfig.json': '{}',
  [`${folder}/runs_entry.yaml`]: functionTool('runs_entry', './entry.mjs#run'),
  [`${folder}/entry.mjs`]: "export const run = () => 'good';\n",
  [`${folder}/runs_switched.yaml`]: functionTool('runs_switched', './switched.mjs#run'),
  [`${folder}/switched.mjs`]: imports('../../lib/switched.mjs'),
  'lib/switched.mjs': held('good'),
};
