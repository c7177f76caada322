import path from 'node:path';
import { python } from '../support/python.ts';
import { writeFiles } from '../support/temporary.ts';
import { runJob } from './run-job.ts';

const documents = 200;
const broken = 80;
const placesInOne = 25;

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    license: { enum: ['MIT', 'ISC', 'Apache-2.0'] },
    private: { type: 'boolean' },
    keywords: { type: 'array', items: { type: 'string' } },
    engines: { type: 'object', properties: { node: { type: 'string' } }, required: ['node'] },
    dependencies: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['name', 'version', 'license'],
};

interface Report {
  /** Files that do not fit, relative to the folder. */
  readonly invalid: readonly string[];
  /** Places that do not fit, in all files. */
  readonly problems: number;
  /** Problems by the member that they are at or below. */
  readonly byMember: Readonly<Record<string, number>>;
}

runJob<Report>({
  number: 13,
  title: `${documents} documents against a schema`,
  maxTokens: 4000,
  async prepare(folder, random) {
    const sound = (index: number): Record<string, unknown> => ({
      name: `part-${index}`,
      version: `${random.below(9)}.${random.below(30)}.${random.below(9)}`,
      license: random.oneOf(['MIT', 'ISC', 'Apache-2.0']),
      private: random.chance(0.5),
      keywords: Array.from({ length: 30 }, () => random.oneOf(['http', 'parser', 'cache'])),
      engines: { node: `>=${random.between(18, 24)}` },
      dependencies: Object.fromEntries(Array.from({ length: 12 }, () => [`dependency-${random.below(1e6)}`, `^${random.below(9)}.0.0`])),
    });
    const breaks: readonly ((value: Record<string, unknown>) => Record<string, unknown>)[] = [
      (value) => ({ ...value, license: 'UNLICENSED' }),
      ({ license: _, ...value }) => value,
      (value) => ({ ...value, version: `v${value['version']}` }),
      (value) => ({ ...value, private: 'yes' }),
      (value) => ({ ...value, engines: {} }),
      (value) => ({ ...value, dependencies: { left: 3, right: '1.0.0' } }),
      (value) => ({ ...value, name: 'Upper Case', version: 7 }),
    ];
    const manifold = { ...sound(0), keywords: Array.from({ length: placesInOne }, (_, index) => index) };
    const values = Array.from({ length: documents }, (_, index) => {
      if (index === 0) return manifold;
      return index < broken ? random.oneOf(breaks)(sound(index)) : sound(index);
    });
    // Which are broken is not to be seen from their order.
    const shuffled = values.map((value) => ({ value, key: random.next() })).sort((one, other) => one.key - other.key);
    const named = shuffled.map(({ value }, index) => [
      `parts/p${String(index).padStart(3, '0')}/package.json`,
      JSON.stringify(value, null, 2),
    ]);
    await writeFiles(folder, { ...Object.fromEntries(named), 'schema.json': JSON.stringify(schema) });
  },
  async steps(client) {
    const validate = await client.tool('json_validate', 'validate many JSON files against a schema');
    const invalid = new Set<string>();
    const byMember: Record<string, number> = {};
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page: Page = await validate.call({
        glob: 'package.json',
        path: 'parts',
        schema_path: 'schema.json',
        ...(offset === 0 ? {} : { offset }),
      });
      for (const { pointer, count, files } of page.errors) {
        const [, member = ''] = pointer.split('/');
        byMember[member] = (byMember[member] ?? 0) + count;
        for (const file of files) invalid.add(file);
      }
      offset = page.next_offset;
    }
    return { invalid: [...invalid].sort(), problems: Object.values(byMember).reduce((sum, count) => sum + count, 0), byMember };
  },
  expected: (folder) =>
    python(
      [
        'import collections, glob, os, re',
        'def problems(value):',
        '    for name in ("name", "version", "license"):',
        '        if name not in value: yield name',
        String.raw`    for name, pattern in (("name", r"^[a-z][a-z0-9-]*\Z"), ("version", r"^\d+\.\d+\.\d+\Z")):`,
        '        if name in value and (type(value[name]) is not str or not re.match(pattern, value[name])): yield name',
        '    if "license" in value and value["license"] not in ("MIT", "ISC", "Apache-2.0"): yield "license"',
        '    if "private" in value and type(value["private"]) is not bool: yield "private"',
        '    for word in value.get("keywords", []):',
        '        if type(word) is not str: yield "keywords"',
        '    if type(value.get("engines", {}).get("node")) is not str: yield "engines"',
        '    for version in value.get("dependencies", {}).values():',
        '        if type(version) is not str: yield "dependencies"',
        'found = {os.path.relpath(file, given): list(problems(json.load(open(file)))) for file in glob.glob(given + "/*/package.json")}',
        'members = collections.Counter(member for some in found.values() for member in some)',
        'result = {"invalid": sorted(file for file, some in found.items() if some), "problems": sum(members.values()), "byMember": dict(members)}',
      ].join('\n'),
      path.join(folder, 'parts'),
    ),
});

interface Page {
  readonly errors: readonly { readonly pointer: string; readonly count: number; readonly files: readonly string[] }[];
  readonly next_offset?: number;
}
