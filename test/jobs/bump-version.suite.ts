import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { python } from '../support/python.ts';
import { writeFiles } from '../support/temporary.ts';
import { runJob } from './run-job.ts';

interface Facts {
  readonly folder: string;
}

interface Bumped {
  /** The whole file: comments, order and spaces are part of it. */
  readonly text: string;
  /** Version of the project, read as TOML. */
  readonly version: string;
}

const packages = ['attrs', 'click', 'httpx', 'jinja2', 'numpy', 'pluggy', 'pydantic', 'rich', 'starlette', 'typer'];

runJob<Bumped, Facts>({
  number: 24,
  title: 'raise the minor version in pyproject.toml',
  async prepare(folder, random) {
    const version = (): string => `${random.below(9)}.${random.below(30)}.${random.below(9)}`;
    const dependency = (): string => `    "${random.oneOf(packages)}>=${version()}",  # since version = "${version()}"`;
    const groups = Array.from({ length: 24 }, (_, index) => `extra${index} = [\n${dependency()}\n${dependency()}\n]`);
    const scripts = Array.from({ length: 40 }, (_, index) => `run-${index} = "shop.cli:main_${index}"`);
    await writeFiles(folder, {
      'pyproject.toml': `# Read CONTRIBUTING before you change this file.
[build-system]
requires = ["hatchling>=${version()}"]
build-backend = "hatchling.build"

[tool.bump]
version = "${version()}"   # of the tool, not of the project

[project]
name = "shop"
version   = "${version()}"   # also in the changelog
requires-python = ">=3.9"
dependencies = [
${dependency()}
]

[project.optional-dependencies]
${groups.join('\n')}

[project.scripts]
${scripts.join('\n')}
`,
    });
    return { folder };
  },
  async steps(client, { folder }) {
    const search = await client.tool('fs_search', 'find where a text stands in files');
    const { matches } = await search.call<{ matches: readonly Match[] }>({ path: 'pyproject.toml', pattern: '^version\\b|^\\[project\\]' });
    // The version of the project is the first below its heading.
    const heading = matches.find(({ text }) => text === '[project]')?.line ?? Number.POSITIVE_INFINITY;
    const old = matches.find(({ line }) => line > heading)?.text ?? '';
    const edit = await client.tool('fs_edit_file', 'change a line of a file');
    const raised = old.replace(/\.(\d+)\.\d+"/, (_, minor: string) => `.${Number(minor) + 1}.0"`);
    await edit.call({ path: 'pyproject.toml', edits: [{ old_text: old, new_text: raised }] });
    const text = await readFile(path.join(folder, 'pyproject.toml'), 'utf8');
    return { text, version: python<string>('import tomllib\nresult = tomllib.loads(given)["project"]["version"]', text) };
  },
  expected: (folder) =>
    python(
      [
        'import tomllib',
        'text = open(given + "/pyproject.toml", encoding="utf-8", newline="").read()',
        'old = tomllib.loads(text)["project"]["version"]',
        'major, minor, _ = old.split(".")',
        'version = f"{major}.{int(minor) + 1}.0"',
        'begin, end = text.split("[project]\\n")',
        'result = {"text": begin + "[project]\\n" + end.replace(f\'"{old}"\', f\'"{version}"\', 1), "version": version}',
      ].join('\n'),
      folder,
    ),
});

interface Match {
  readonly line: number;
  readonly text: string;
}
